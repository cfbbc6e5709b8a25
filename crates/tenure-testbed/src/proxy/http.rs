//! Finds the requests in what a client sends over HTTP/1.1, to count them.
//!
//! Only heads are read; a body is skipped by its length. A request that doesn't say how long its body is (chunked) is the
//! last one counted on its connection: where the next would begin is not known.

/// Heads longer than this are no heads.
const HEAD_MAX: usize = 64 * 1024;

/// Reads one connection.
#[derive(Debug, Default)]
pub(super) struct Requests {
    head: Vec<u8>,
    body_left: usize,
    blind: bool,
}

impl Requests {
    /// The operations of the requests whose heads end within these bytes.
    pub(super) fn read(&mut self, bytes: &[u8]) -> Vec<String> {
        let mut found = Vec::new();
        let mut rest = bytes;
        while !rest.is_empty() && !self.blind {
            rest = self.skip_body(rest);
            rest = self.read_head(rest, &mut found);
        }
        found
    }

    fn skip_body<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let skipped = self.body_left.min(bytes.len());
        self.body_left -= skipped;
        &bytes[skipped..]
    }

    fn read_head<'a>(&mut self, bytes: &'a [u8], found: &mut Vec<String>) -> &'a [u8] {
        let known = self.head.len();
        self.head.extend_from_slice(bytes);
        let Some(end) = self.head.windows(4).position(|four| four == b"\r\n\r\n") else {
            self.blind = self.head.len() > HEAD_MAX;
            return &[];
        };
        let head = String::from_utf8_lossy(&self.head[..end]).into_owned();
        self.head.clear();
        self.begin(&head, found);
        &bytes[end + 4 - known..]
    }

    fn begin(&mut self, head: &str, found: &mut Vec<String>) {
        found.push(operation(head).into());
        self.body_left = field(head, "content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        self.blind = field(head, "transfer-encoding").is_some();
    }
}

/// The method; `LIST` for a GET that lists an object store's keys, since that is billed apart.
fn operation(head: &str) -> &str {
    let mut words = head.lines().next().unwrap_or_default().split(' ');
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    if method == "GET" && target.contains("list-type=") { "LIST" } else { method }
}

fn field<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let mut fields = head.lines().skip(1).filter_map(|line| line.split_once(':'));
    fields.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    const STREAM: &str = "PUT /a HTTP/1.1\r\nContent-Length: 30\r\n\r\nGET /not/a HTTP/1.1\r\nrequest\r\n\
         GET /a HTTP/1.1\r\nhost: x\r\n\r\nGET /?list-type=2&prefix=a HTTP/1.1\r\n\r\n";

    #[test]
    fn bodies_are_no_requests() {
        assert_eq!(Requests::default().read(STREAM.as_bytes()), ["PUT", "GET", "LIST"]);
    }

    #[test]
    fn requests_are_found_however_the_stream_is_cut() {
        for size in 1..STREAM.len() {
            let mut requests = Requests::default();
            let pieces = STREAM.as_bytes().chunks(size);
            let found: Vec<_> = pieces.flat_map(|piece| requests.read(piece)).collect();
            assert_eq!(found, ["PUT", "GET", "LIST"], "in pieces of {size}");
        }
    }

    #[test]
    fn nothing_is_counted_after_a_body_of_unknown_length() {
        let stream = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nGET /\r\n0\r\n\r\n";
        assert_eq!(Requests::default().read(stream.as_bytes()), ["POST"]);
    }
}
