//! `page_calls!` declares the calls that the pages of one area make.

/// Declares the calls of an area: `name "path" (request) -> answer`, with the path below `/share/fn/`. Arguments are sent by
/// name in a JSON object. Each declaration generates
/// - a function of that name, which the page calls;
/// - a method of that name in the area's trait, which the server must implement;
/// - the Leptos server function that connects the two.
macro_rules! page_calls {
    (
        $(#[$about:meta])+
        trait $area:ident;
        $(
            $(#[$doc:meta])+
            $name:ident $path:literal ($($argument:ident: $kind:ty),+) -> $answer:ty;
        )+
    ) => {
        $(
            $(#[$doc])+
            ///
            /// # Errors
            /// The server refused the call or did not respond.
            pub async fn $name($($argument: $kind),+) -> Result<$answer, $crate::calls::Refusal> {
                let arguments = [$((stringify!($argument), $crate::calls::client::json(&$argument))),+];
                $crate::calls::client::ask(concat!("/share/fn/", $path), &arguments).await
            }
        )+

        $(#[$about])+
        #[cfg(feature = "ssr")]
        #[async_trait::async_trait]
        pub trait $area: Send + Sync {
            $(
                $(#[$doc])+
                async fn $name(&self, token: &str, $($argument: $kind),+) -> Result<$answer, $crate::calls::Refusal>;
            )+
        }

        #[cfg(all(test, feature = "ssr"))]
        #[async_trait::async_trait]
        impl $area for $crate::calls::serve::Broken {
            $(
                async fn $name(&self, _: &str, $(_: $kind),+) -> Result<$answer, $crate::calls::Refusal> {
                    panic!("broken")
                }
            )+
        }

        /// Registers the server functions of these calls.
        #[cfg(feature = "ssr")]
        pub(super) fn register() {
            $({
                #[derive(serde::Deserialize)]
                struct Request {
                    $($argument: $kind),+
                }

                impl $crate::calls::serve::PageCall for Request {
                    const PATH: &'static str = concat!("/share/fn/", $path);
                    type Answer = $answer;

                    async fn run(
                        self,
                        server: &dyn $crate::calls::Calls,
                        token: &str,
                    ) -> Result<$answer, $crate::calls::Refusal> {
                        server.$name(token, $(self.$argument),+).await
                    }
                }

                $crate::calls::serve::register_call::<Request>();
            })+
        }
    };
}
