//! The companion that a browser asks as an endpoint.

use std::process::Stdio;

use anyhow::{Context as _, Result};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

use super::{PATIENCE, free_port};

/// The companion as an endpoint on the loopback.
pub(crate) struct Companion {
    pub(crate) url: String,
    _process: Child,
}

impl Companion {
    /// Starts `graphground serve` on a free port.
    pub(crate) async fn start() -> Result<Self> {
        Self::start_with(&[]).await
    }

    /// The same for a page that was opened from a disk, which has no origin.
    pub(crate) async fn start_for_a_disk() -> Result<Self> {
        Self::start_with(&["--allow-origin", "null"]).await
    }

    async fn start_with(more: &[&str]) -> Result<Self> {
        let program = std::env::var("GRAPHGROUND_COMPANION")
            .context("run these tests with `cargo xtask test`")?;
        let port = free_port()?;
        let mut process = Command::new(program)
            .args(["serve", "--port", &port.to_string()])
            .args(more)
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let out = process.stdout.take().context("no output")?;
        let mut lines = BufReader::new(out).lines();
        // It says where it is once it listens.
        let line = tokio::time::timeout(PATIENCE, lines.next_line()).await??;
        line.context("the companion ended before it listened")?;
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Ok(Self { url: format!("http://127.0.0.1:{port}/v1"), _process: process })
    }
}
