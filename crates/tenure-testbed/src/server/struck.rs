//! What tests do to a server that is one process: kill it, freeze it, let it go on, start it again.

/// Gives `$server`, whose process is its field `$process`, these blows; it must have `answered`, which returns when it answers.
macro_rules! struck {
    ($server:ident, $process:ident) => {
        impl $server {
            /// Kills it at once, with every process that it started itself; what it has written stays.
            pub fn kill(&mut self) {
                self.$process.kill();
            }

            /// Freezes it: it keeps its connections and answers nothing.
            pub fn stop(&self) {
                self.$process.stop();
            }

            /// Lets it go on.
            pub fn thaw(&self) {
                self.$process.thaw();
            }

            /// Starts it again with its data, on the same port; returns when it answers.
            ///
            /// # Panics
            ///
            /// When it does not start.
            pub async fn restart(&mut self) {
                self.revive().await.unwrap_or_else(|error| panic!("{error}"));
            }

            async fn revive(&mut self) -> Result<(), Error> {
                self.$process.restart()?;
                self.answered().await
            }
        }
    };
}

pub(super) use struck;
