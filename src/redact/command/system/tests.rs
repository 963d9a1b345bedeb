//! What system files lose, and what only looks like one.

use crate::redact::tests::redact;

#[test]
fn system_files_lose_their_passwords() {
    for line in [
        "cache_peer h.local parent 3128 0 no-query login=mira:{}",
        "mira@h.local:{PLAIN}{}::::::",
        "password = {CLEARTEXT}{}",
        "  client_send = : mira@h.local : {}",
        "  client_send = \"^mira^{}\"",
        "BUNDLE_GEMS__H__LOCAL: \"mira:{}\"",
        "export BUNDLE_GEMS__H__LOCAL=mira:{}",
        "pt-archiver --source h=h.local,u=mira,p={},D=x",
        "pt-table-sync u=mira,p={} h=b",
        "set system radius-server 10.0.0.5 secret \"{}\"",
        "    10.0.0.5 {\n        secret \"{}\";\n    }",
        "    pre-shared-key ascii-text \"{}\"; ## SECRET-DATA",
        "# client\tserver\tsecret\tIP addresses\nmira\tl2tpd\t\"{}\"\t*",
        "mira pptpd {} 10.0.0.7",
        "\"mira\" * \"{}\" *",
        "Backlog SSID1 nest; Password1 {}; MqttHost h.local",
        "MqttPassword {}",
        "lxc config set web environment.DB_PASSWORD {}",
        "lxc config set web environment.DB_PASSWORD={}",
        "/msg NickServ IDENTIFY mira {}",
        "/msg NickServ identify {}",
        "expect \"*assword:\"\nsend \"{}$\\r\"",
        "child.expect('[Pp]assword:')\nchild.sendline('{}')",
        "tn.read_until(b\"Password: \")\ntn.write(b\"{}\\n\")",
        "mysqldump: Got error: 1045 when using -umira -p'{}'",
        "security add-generic-password -a mira -s x -w {}",
        "  - { id: dm0, type: dm_crypt, key: \"{}\", volume: vg0 }",
        "|_    mira:{} - Valid credentials",
        "http-request deny unless { req.hdr(X-Api-Key) -m str {} }",
        "$ headscale preauthkeys create -u mira\n{}",
        "security unlock-keychain -p '{}' login.keychain",
    ] {
        for secret in ["x8Kq2mPz7Rw1", "kranich-storch-reiher-7"] {
            let shown = redact(&line.replace("{}", secret));
            assert!(!shown.contains(&secret[3..]), "{line}: {shown}");
        }
    }
    let uuid = "312e9a41-a4e7-4868-966e-841f49f44ac0";
    let other = uuid.replace("312e", "7da7");
    let shown = redact(&format!(
        "secret_id             {uuid}\nsecret_id_accessor    {other}\n"
    ));
    assert!(!shown.contains(uuid) && shown.contains(&other), "{shown}");
    let shown = redact(&format!(
        "AccessorID:       {other}\nSecretID:         {uuid}\n"
    ));
    assert!(!shown.contains(uuid) && shown.contains(&other), "{shown}");
    let own = "kP8Kq2mPz7Rw1kd9q83Jd02mzKq81LmZx7Tb4WvRc1Y=";
    let public = "Zq83Jd02mzKq81LmZx7Tb4WvRc1YsHd8NgJ6UkP8Kq2=";
    for before in ["", "wg0\t"] {
        let shown = redact(&format!("{before}{own}\t{public}\t51820\toff\n"));
        assert!(!shown.contains(own) && shown.contains(public), "{shown}");
    }
}

#[test]
fn what_only_looks_like_a_system_file_stays() {
    for line in [
        "cache_peer h.local parent 3128 0 login=PASS",
        "cache_peer h.local parent 3128 0 login=mira:<password>",
        "mira@h.local:{PLAIN}[REDACTED]::::::",
        "schemes: {PLAIN} and {CLEARTEXT} are not hashed",
        "client_send = : ${extract{user}{$value}} : ${extract{pass}{$value}}",
        "BUNDLE_MIRROR__RUBYGEMS: \"https://h.local:8443\"",
        "BUNDLE_GEMS__H__LOCAL: \"mira:${GEM_PASSWORD}\"",
        "BUNDLE_PATH: \"vendor/bundle2\"",
        "f(a,p=kettle91)",
        "for(var u=t.kids(t.controls).list,c=0,f=0,p=u.length;f<p;f++)c+=u[f].w",
        "u=t[Q],h=(s[2]||\"\").split(k).sort(),p=r?d.delegateType:kettle91",
        "pt-archiver --source h=h.local,u=mira,p=TODO,D=x",
        "Warning: MountVolume failed: secret \"nest-credentials-1721\" not found",
        "token = \"{{ with secret \"database/creds/ro\" }}\"",
        "secret \"nest-credentials-1721\" created",
        "secret_id  is shown once7",
        "# client\tserver\tsecret\tIP addresses\nmira\tl2tpd\t\"TODO\"\t*",
        "# client version2 of the protocol3",
        "char * \"a1b2c3d4e5\";",
        "Password1 and Password2 must match2",
        "lxc config set web limits.memory 2GiB-total1",
        "/msg NickServ IDENTIFY <password>",
        "child.expect('login:')\nchild.sendline('mira4711x')",
        "f.write(b\"x8Kq2mPz7Rw1\")",
        "security add-generic-password -a mira -s kettle91",
        "  - { id: dm0, type: dm_crypt, volume: vg0-4711x }",
        "|_    mira:<empty> - Valid credentials",
        "acl a req.hdr(Host) -m str h2-kettle91.local",
        "nest7\tkettle91\t51820\toff",
    ] {
        assert_eq!(redact(line), line);
    }
}
