//! A collector, as the daemon sees one. What it is given is read with the protocol's own messages.

use std::convert::Infallible;
use std::future::pending;
use std::net::{SocketAddr, TcpListener};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::HeaderMap;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTracePartialSuccess, ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use prost::Message;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::runtime::Runtime;
use tokio_rustls::TlsAcceptor;

const METRICS: [&str; 2] = [
    "/v1/metrics",
    "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export",
];
const TRACES: [&str; 2] = [
    "/v1/traces",
    "/opentelemetry.proto.collector.trace.v1.TraceService/Export",
];

/// What it says to an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// It takes it.
    Take,
    /// A status of HTTP.
    Status(u16),
    /// A status of gRPC.
    GrpcStatus(u16),
    /// It takes it, but for one of what it is given.
    TakeAllButOne,
    /// Nothing, ever.
    Silence,
}

/// What it was given.
pub(crate) struct Export<M> {
    pub(crate) headers: HeaderMap,
    pub(crate) bytes: Bytes,
    pub(crate) message: M,
}

pub(crate) struct Collector {
    pub(crate) address: SocketAddr,
    metrics: Receiver<Export<ExportMetricsServiceRequest>>,
    traces: Receiver<Export<ExportTraceServiceRequest>>,
    desk: Arc<Desk>,
    _runtime: Runtime,
}

struct Desk {
    answer: Mutex<Answer>,
    metrics: Sender<Export<ExportMetricsServiceRequest>>,
    traces: Sender<Export<ExportTraceServiceRequest>>,
}

impl Collector {
    pub(crate) fn start() -> Self {
        Self::at(TcpListener::bind("127.0.0.1:0").unwrap(), None)
    }

    pub(crate) fn encrypted(acceptor: TlsAcceptor) -> Self {
        Self::at(TcpListener::bind("127.0.0.1:0").unwrap(), Some(acceptor))
    }

    pub(crate) fn at(listener: TcpListener, tls: Option<TlsAcceptor>) -> Self {
        let (to_metrics, metrics) = channel();
        let (to_traces, traces) = channel();
        let desk = Arc::new(Desk {
            answer: Mutex::new(Answer::Take),
            metrics: to_metrics,
            traces: to_traces,
        });
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let address = listener.local_addr().unwrap();
        listener.set_nonblocking(true).unwrap();
        runtime.spawn(accept(listener, tls, Arc::clone(&desk)));
        Self {
            address,
            metrics,
            traces,
            desk,
            _runtime: runtime,
        }
    }

    /// What it says from now on.
    pub(crate) fn answer(&self, answer: Answer) {
        *self.desk.answer.lock().unwrap() = answer;
    }

    /// Waits for the next export of metrics.
    pub(crate) fn metrics(&self) -> Export<ExportMetricsServiceRequest> {
        next(&self.metrics)
    }

    /// Waits for an export of metrics that begins after this.
    pub(crate) fn later_metrics(&self) -> Export<ExportMetricsServiceRequest> {
        while self.metrics.try_recv().is_ok() {}
        // This one may have begun before.
        self.metrics();
        self.metrics()
    }

    /// Waits for the next export of spans.
    pub(crate) fn traces(&self) -> Export<ExportTraceServiceRequest> {
        next(&self.traces)
    }

    /// The exports of spans that nobody has waited for.
    pub(crate) fn more_traces(&self) -> usize {
        self.traces.try_iter().count()
    }
}

/// What never comes is a failure, and not a test that hangs.
fn next<M>(exports: &Receiver<Export<M>>) -> Export<M> {
    exports.recv_timeout(Duration::from_secs(60)).unwrap()
}

async fn accept(listener: TcpListener, tls: Option<TlsAcceptor>, desk: Arc<Desk>) {
    let listener = tokio::net::TcpListener::from_std(listener).unwrap();
    while let Ok((stream, _)) = listener.accept().await {
        let (tls, desk) = (tls.clone(), Arc::clone(&desk));
        tokio::spawn(async move {
            match tls {
                None => serve(stream, desk).await,
                Some(tls) => {
                    // Who does not trust it comes no further.
                    if let Ok(stream) = tls.accept(stream).await {
                        serve(stream, desk).await;
                    }
                }
            }
        });
    }
}

async fn serve(stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static, desk: Arc<Desk>) {
    let service = service_fn(move |request| take(Arc::clone(&desk), request));
    let builder = Builder::new(TokioExecutor::new());
    let connection = builder.serve_connection(TokioIo::new(stream), service);
    // It ends when the daemon does.
    let _ = connection.await;
}

type Answered = Response<BoxBody<Bytes, Infallible>>;

async fn take(desk: Arc<Desk>, request: Request<Incoming>) -> Result<Answered, hyper::Error> {
    let (head, body) = request.into_parts();
    let body = body.collect().await?.to_bytes();
    let is_grpc = head.headers["content-type"] == "application/grpc";
    if !is_grpc {
        assert_eq!(head.headers["content-type"], "application/x-protobuf");
    }
    let message = match is_grpc {
        true => {
            assert_eq!(head.headers["te"], "trailers");
            let length = u32::from_be_bytes(body[1..5].try_into().unwrap());
            assert_eq!(body[0], 0);
            assert_eq!(body.len(), 5 + usize::try_from(length).unwrap());
            body.slice(5..)
        }
        false => body,
    };
    let answer = *desk.answer.lock().unwrap();
    let path = head.uri.path();
    // Nobody may wait for it any more.
    if METRICS.contains(&path) {
        let _ = desk.metrics.send(read(head.headers, message));
    } else if TRACES.contains(&path) {
        let _ = desk.traces.send(read(head.headers, message));
    } else {
        panic!("nothing is at {path}");
    }
    Ok(match answer {
        Answer::Silence => pending().await,
        Answer::Take if is_grpc => grpc(0, Bytes::from_static(&[0; 5])),
        Answer::GrpcStatus(status) => grpc(status, Bytes::new()),
        Answer::TakeAllButOne => but_one(is_grpc),
        Answer::Take => http(200),
        Answer::Status(status) => http(status),
    })
}

fn read<M: Message + Default>(headers: HeaderMap, bytes: Bytes) -> Export<M> {
    let message = M::decode(bytes.clone()).unwrap();
    // Nothing that the protocol does not know.
    assert_eq!(message.encoded_len(), bytes.len());
    Export {
        headers,
        bytes,
        message,
    }
}

fn but_one(is_grpc: bool) -> Answered {
    let message = ExportTraceServiceResponse {
        partial_success: Some(ExportTracePartialSuccess {
            rejected_spans: 1,
            error_message: "too old".to_owned(),
        }),
    };
    let message = message.encode_to_vec();
    if !is_grpc {
        return Response::new(Full::from(message).boxed());
    }
    let mut body = vec![0];
    body.extend(u32::try_from(message.len()).unwrap().to_be_bytes());
    body.extend(message);
    grpc(0, body.into())
}

fn http(status: u16) -> Answered {
    let mut response = Response::new(Full::default().boxed());
    *response.status_mut() = StatusCode::from_u16(status).unwrap();
    response
}

fn grpc(status: u16, message: Bytes) -> Answered {
    let mut trailers = HeaderMap::new();
    trailers.insert("grpc-status", status.into());
    let body = Full::new(message).with_trailers(async { Some(Ok(trailers)) });
    let mut response = Response::new(body.boxed());
    let kind = "application/grpc".parse().unwrap();
    response.headers_mut().insert("content-type", kind);
    response
}
