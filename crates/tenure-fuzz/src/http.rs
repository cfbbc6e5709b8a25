//! Questions over HTTP: written from JSON, which is spoilt by its structure, and asked on a connection in memory.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::Poll;

use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWriteExt, DuplexStream, ReadBuf, duplex};
use tokio::task::yield_now;

/// So much fits into a connection that nobody reads from.
const BUFFER: usize = 1 << 20;

/// So often a server may be looked at before its answer is there. None waits for anything but itself.
const LOOKS: usize = 400;

/// The question that `json` describes: `{"line":"POST /path?query","headers":{"host":"localhost"},"body":{"why":"a"}}`. A body that is
/// a text is sent as it is, any other as JSON, with its length unless the headers say another.
pub fn question(json: &[u8]) -> Option<Vec<u8>> {
    let parts: Value = serde_json::from_slice(json).ok()?;
    let (line, headers) = (parts.get("line")?.as_str()?, parts.get("headers")?.as_object()?);
    let body = match parts.get("body") {
        None => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    };
    let mut text = format!("{line} HTTP/1.1\r\n");
    for (name, value) in headers {
        text +=
            &format!("{name}: {}\r\n", value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned));
    }
    if !body.is_empty() && !headers.contains_key("content-length") {
        text += &format!("content-length: {}\r\n", body.len());
    }
    Some((text + "\r\n" + &body).into_bytes())
}

/// Asks these bytes of whatever `serve` makes of the other end; what it answered before it was left.
pub async fn ask<F: Future>(bytes: &[u8], serve: impl FnOnce(DuplexStream) -> F) -> Vec<u8> {
    let (mut here, there) = duplex(BUFFER);
    let mut serving = pin!(serve(there));
    // What does not fit is not asked.
    let _ = here.write_all(&bytes[..bytes.len().min(BUFFER)]).await;
    let mut answer = Vec::new();
    for _ in 0..LOOKS {
        let over = poll_fn(|context| Poll::Ready(serving.as_mut().poll(context).is_ready())).await;
        take(&mut here, &mut answer).await;
        if over || !answer.is_empty() {
            break;
        }
        yield_now().await;
    }
    answer
}

/// Takes what is there.
async fn take(from: &mut DuplexStream, into: &mut Vec<u8>) {
    let mut room = vec![0; BUFFER];
    let mut buffer = ReadBuf::new(&mut room);
    poll_fn(|context| {
        let _ = Pin::new(&mut *from).poll_read(context, &mut buffer);
        Poll::Ready(())
    })
    .await;
    into.extend_from_slice(buffer.filled());
}

/// The status of an answer; `None` if nothing was answered.
///
/// # Panics
/// If it is no answer.
pub fn status(answer: &[u8]) -> Option<u16> {
    if answer.is_empty() {
        return None;
    }
    let line = answer.strip_prefix(b"HTTP/1.1 ").or_else(|| answer.strip_prefix(b"HTTP/1.0 "));
    let digits = line.and_then(|line| line.get(..3)).and_then(|digits| str::from_utf8(digits).ok());
    let status = digits.and_then(|digits| digits.parse().ok());
    assert!(status.is_some(), "that is no answer: {}", answer.escape_ascii());
    status
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_written_as_it_is_described() {
        let json = br#"{"line":"POST /a?b=c","headers":{"host":"x"},"body":{"why":"d"}}"#;
        let told = String::from_utf8(question(json).unwrap()).unwrap();
        assert_eq!(told, "POST /a?b=c HTTP/1.1\r\nhost: x\r\ncontent-length: 11\r\n\r\n{\"why\":\"d\"}");
    }

    #[test]
    fn an_answer_has_a_status_and_silence_has_none() {
        assert_eq!((status(b"HTTP/1.1 404 Not Found\r\n"), status(b"")), (Some(404), None));
    }
}
