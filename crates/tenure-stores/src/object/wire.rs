//! Sees what became of each request on the wire.
//!
//! object_store tells its callers too little: a write that was refused, one that was never sent and one whose answer
//! was lost all come back as `Generic`, and a 409 as "already exists" though nothing may. What a caller must do next
//! differs for each. So every call carries a [`Trace`] among the extensions of its request; the connector that is put
//! under object_store finds it there and notes the last thing that happened. Requests for credentials carry none: a
//! trace that nobody wrote on says that the store was never asked.

use std::error::Error as StdError;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpService,
    ReqwestConnector,
};
use object_store::{ClientOptions, Extensions, HeaderValue};

use super::refusal::Refusal;

/// What became of one call's request; of the last one, where reads are tried again.
#[derive(Clone, Debug, Default)]
pub(super) enum Fate {
    /// Nothing was sent: no credentials could be had, or the request could not be made.
    #[default]
    Unsent,
    /// No connection could be made, so nothing was sent.
    Unreachable,
    /// It was sent, and no answer came: it may have been carried out, now or later.
    Lost,
    /// It was answered, and the answer was not good.
    Refused(Refusal),
    /// It was answered well.
    Answered,
}

/// Follows one call.
#[derive(Clone, Debug, Default)]
pub(super) struct Trace(Arc<Mutex<Fate>>);

impl Trace {
    /// Extensions for a request, so that the wire can write on this trace.
    pub(super) fn extensions(&self) -> Extensions {
        let mut extensions = Extensions::new();
        extensions.insert(self.clone());
        extensions
    }

    /// What became of the request.
    pub(super) fn fate(&self) -> Fate {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note(&self, fate: Fate) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = fate;
    }
}

tokio::task_local! {
    static REMOVAL: Removal;
}

/// What a DELETE must carry.
#[derive(Clone, Debug)]
pub(super) struct Removal {
    /// The condition, if it has one: a header, and its value.
    pub condition: Option<(&'static str, HeaderValue)>,
    pub trace: Trace,
}

impl Removal {
    /// Every DELETE that `call` sends from this task carries it.
    pub(super) async fn during<T>(self, call: impl Future<Output = T>) -> T {
        REMOVAL.scope(self, call).await
    }

    /// The trace for a request; if it is a DELETE, it gets its condition.
    fn prepare(request: &mut HttpRequest) -> Option<Trace> {
        if request.method().as_str() != "DELETE" {
            return request.extensions().get::<Trace>().cloned();
        }
        let Self { condition, trace } = REMOVAL.try_with(Clone::clone).ok()?;
        if let Some((name, value)) = condition {
            request.headers_mut().insert(name, value);
        }
        Some(trace)
    }
}

/// Makes clients that write on traces.
#[derive(Debug)]
pub(super) struct Wire;

impl HttpConnector for Wire {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        let inner = ReqwestConnector::default().connect(options)?;
        Ok(HttpClient::new(Traced(inner)))
    }
}

#[derive(Debug)]
struct Traced(HttpClient);

#[async_trait]
impl HttpService for Traced {
    async fn call(&self, mut request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let Some(trace) = Removal::prepare(&mut request) else {
            return self.0.execute(request).await;
        };
        // Should this call be dropped from here on, it was sent for all that anybody knows.
        trace.note(Fate::Lost);
        match self.0.execute(request).await {
            Ok(response) => Ok(inspected(response, &trace).await),
            Err(error) => {
                trace.note(if was_sent(&error) { Fate::Lost } else { Fate::Unreachable });
                Err(error)
            }
        }
    }
}

/// Notes how it was answered. The body of a refusal is read here, and handed on.
async fn inspected(response: HttpResponse, trace: &Trace) -> HttpResponse {
    if response.status().is_success() {
        trace.note(Fate::Answered);
        return response;
    }
    let (parts, body) = response.into_parts();
    // The status says enough, should the body break off.
    let body = body.bytes().await.unwrap_or_default();
    trace.note(Fate::Refused(Refusal::read(parts.status.as_u16(), &parts.headers, &body)));
    HttpResponse::from_parts(parts, body.into())
}

/// Only where no connection was made is it certain that nothing was sent. That must be asked of reqwest itself:
/// object_store files a connection that closed before the answer under "not sent", and a connect that took too long
/// under "timeout".
fn was_sent(error: &HttpError) -> bool {
    let mut cause: Option<&(dyn StdError + 'static)> = Some(error);
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<reqwest::Error>() {
            return !(error.is_connect() || error.is_builder());
        }
        cause = error.source();
    }
    error.kind() != HttpErrorKind::Connect
}
