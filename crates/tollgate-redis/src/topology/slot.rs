//! In which slot of a cluster a key is.

/// How many slots a cluster has.
pub(crate) const SLOTS: u16 = 16_384;

/// The slot of a key: that of its hash tag, which is what stands between its first brace and the
/// next closing one, if anything does; else that of all of it.
pub(crate) fn slot(key: &str) -> u16 {
    let tag = key
        .split_once('{')
        .and_then(|(_, rest)| rest.split_once('}'))
        .map(|(tag, _)| tag)
        .filter(|tag| !tag.is_empty());
    crc16(tag.unwrap_or(key).as_bytes()) % SLOTS
}

/// CRC-16/XMODEM.
fn crc16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |crc, byte| {
        (0..8).fold(crc ^ (u16::from(*byte) << 8), |crc, _| {
            let shifted = crc << 1;
            if crc & 0x8000 == 0 {
                shifted
            } else {
                shifted ^ 0x1021
            }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_the_check_value_of_its_code() {
        assert_eq!(crc16(b"123456789"), 0x31c3);
    }

    #[test]
    fn agrees_with_a_server() {
        use tollgate_testkit::redis::RedisServer;

        let server = RedisServer::builder()
            .config("cluster-enabled", "yes")
            .start();
        let parts = ["", "{", "}", "{}", "a", "{a", "a}", "{é:ключ}", ":", "%7B"];
        for (first, second) in parts
            .iter()
            .flat_map(|first| parts.map(|second| (first, second)))
        {
            let key = format!("{first}{second}tollgate{second}{first}");
            let answer = server.command(&["CLUSTER", "KEYSLOT", &key]).integer();
            assert_eq!(i64::from(slot(&key)), answer, "{key}");
        }
    }

    #[test]
    fn takes_the_hash_tag_as_the_specification_of_clusters_says() {
        assert_eq!(
            slot("{user1000}.following"),
            slot("{user1000}.followers"),
            "the same tag"
        );
        for (key, tag) in [
            ("foo{}{bar}", "foo{}{bar}"),
            ("foo{{bar}}zap", "{bar"),
            ("foo{bar}{zap}", "bar"),
            ("foo{bar", "foo{bar"),
            ("", ""),
        ] {
            assert_eq!(slot(key), crc16(tag.as_bytes()) % SLOTS, "{key}");
        }
    }
}
