//! Key, seals, manifest, audit chain: proof that what an agent is given passed a person.
