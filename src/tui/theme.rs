//! How what is shown looks: roles, not colours.
//!
//! Owns the three themes and the marks that are drawn around text. A state is always in the text
//! as well; a theme repeats it. No theme sets a background, but for reversed tokens, and none
//! uses the ends of the palette that vanish on a white or a black terminal.

use ratatui::style::{Color, Modifier, Style};

/// What a segment of a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Text as it stands.
    Plain,
    /// What matters less: folds, hints.
    Dim,
    /// A heading, or bold text.
    Strong,
    /// Code in a text.
    Code,
    /// What leads the eye: the open view, a title.
    Accent,
    /// A line that comes.
    Add,
    /// Bold text in a line that comes.
    AddStrong,
    /// Code in a line that comes.
    AddCode,
    /// A word that comes.
    AddWord,
    /// A line that goes.
    Del,
    /// A word that goes.
    DelWord,
    /// The mark of a line that becomes another one.
    Change,
    /// A warning.
    Warn,
    /// A failed check.
    Fail,
    /// What is selected.
    Select,
    /// Where what was looked for stands.
    Match,
    /// What stands for a character that would not be seen.
    Token,
}

/// A built-in theme.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Theme {
    /// The terminal's 16 colours.
    #[default]
    Ansi,
    /// No colour: bold, underlined, dim, struck, reversed.
    Mono,
    /// Blue and orange instead of green and red.
    Contrast,
}

impl Theme {
    /// The theme of that name: `ansi`, `mono`, `contrast`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "ansi" => Some(Theme::Ansi),
            "mono" => Some(Theme::Mono),
            "contrast" => Some(Theme::Contrast),
            _ => None,
        }
    }

    /// Whether it has colours.
    #[must_use]
    pub fn has_colour(self) -> bool {
        self != Theme::Mono
    }

    /// How a role looks.
    #[must_use]
    pub fn style(self, role: Role) -> Style {
        let style = Style::new().add_modifier(modifier(role));
        match self.colour(role) {
            Some(colour) => style.fg(colour),
            None => style,
        }
    }

    fn colour(self, role: Role) -> Option<Color> {
        // 208 and 33 of the 256 colours are an orange and a blue that stand on white and on black.
        let (add, del, code, accent) = match self {
            Theme::Mono => return None,
            Theme::Ansi => (Color::Green, Color::Red, Color::Cyan, Color::Cyan),
            Theme::Contrast => (
                Color::Indexed(33),
                Color::Indexed(208),
                Color::Magenta,
                Color::Indexed(33),
            ),
        };
        match role {
            Role::Add | Role::AddStrong | Role::AddCode | Role::AddWord => Some(add),
            Role::Del | Role::DelWord | Role::Fail => Some(del),
            Role::Code => Some(code),
            Role::Accent | Role::Select => Some(accent),
            Role::Warn | Role::Change | Role::Match => Some(match self {
                Theme::Contrast => Color::Magenta,
                _ => Color::Yellow,
            }),
            Role::Plain | Role::Dim | Role::Strong | Role::Token => None,
        }
    }
}

fn modifier(role: Role) -> Modifier {
    match role {
        Role::Plain | Role::Code | Role::Add | Role::Del => Modifier::empty(),
        Role::Dim => Modifier::DIM,
        Role::Strong | Role::AddStrong | Role::Accent | Role::Select => Modifier::BOLD,
        Role::Warn | Role::Fail | Role::Change => Modifier::BOLD,
        Role::AddCode => Modifier::ITALIC,
        Role::Match => Modifier::BOLD.union(Modifier::UNDERLINED),
        Role::AddWord => Modifier::BOLD.union(Modifier::UNDERLINED),
        Role::DelWord => Modifier::BOLD.union(Modifier::CROSSED_OUT),
        Role::Token => Modifier::REVERSED,
    }
}

/// The marks that are drawn around text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marks {
    /// Beside what is selected.
    pub bar: &'static str,
    /// Before what can be folded.
    pub open: &'static str,
    /// Before what is folded.
    pub folded: &'static str,
    /// Between two panes.
    pub vertical: &'static str,
    /// Above a drawer.
    pub horizontal: &'static str,
    /// What was cut.
    pub ellipsis: &'static str,
    /// Between the parts of a place.
    pub path: &'static str,
    /// Between equals.
    pub dot: &'static str,
    /// From one value to another.
    pub arrow: &'static str,
    /// Less of something.
    pub minus: &'static str,
}

impl Marks {
    /// The marks of a terminal that knows Unicode, or those of one that does not.
    #[must_use]
    pub fn new(ascii: bool) -> Self {
        if ascii {
            Self {
                bar: ">",
                open: "v",
                folded: ">",
                vertical: "|",
                horizontal: "-",
                ellipsis: "...",
                path: ">",
                dot: "-",
                arrow: "->",
                minus: "-",
            }
        } else {
            Self {
                bar: "▌",
                open: "▾",
                folded: "▸",
                vertical: "│",
                horizontal: "─",
                ellipsis: "…",
                path: "›",
                dot: "·",
                arrow: "→",
                minus: "−",
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Role::*;

    const ROLES: [Role; 17] = [
        Plain, Dim, Strong, Code, Accent, Add, AddStrong, AddCode, AddWord, Del, DelWord, Change,
        Warn, Fail, Select, Match, Token,
    ];

    #[test]
    fn no_theme_has_a_background_or_the_ends_of_the_palette() {
        for theme in [Theme::Ansi, Theme::Mono, Theme::Contrast] {
            for role in ROLES {
                let style = theme.style(role);
                assert_eq!(style.bg, None, "{role:?}");
                let ends = [Color::Black, Color::White, Color::DarkGray, Color::Gray];
                assert!(style.fg.is_none_or(|fg| !ends.contains(&fg)), "{role:?}");
                assert!(theme.has_colour() || style.fg.is_none(), "{role:?}");
            }
            for (a, b) in [
                (Add, AddWord),
                (Del, DelWord),
                (AddWord, DelWord),
                (Plain, Token),
            ] {
                assert_ne!(theme.style(a), theme.style(b), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn the_plain_marks_are_ascii() {
        let text = format!("{:?}", Marks::new(true));
        assert!(text.is_ascii(), "{text}");
    }
}
