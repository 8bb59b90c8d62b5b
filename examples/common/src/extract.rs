//! Extractors whose rejections are answered like every other error.

use axum::extract::{FromRequest, FromRequestParts};

use crate::error::AppError;

/// A JSON body.
#[derive(Debug, FromRequest)]
#[from_request(via(axum::Json), rejection(AppError))]
pub struct Json<T>(pub T);

/// The parameters of the path; what does not parse is answered with 404.
#[derive(Debug, FromRequestParts)]
#[from_request(via(axum::extract::Path), rejection(AppError))]
pub struct Path<T>(pub T);

/// The query; what does not parse is answered with 400.
#[derive(Debug, FromRequestParts)]
#[from_request(via(axum::extract::Query), rejection(AppError))]
pub struct Query<T>(pub T);
