//! `page_calls!`, which declares what pages of one area call.

/// Declares the calls of an area: `name "path" (request) -> answer`, the path below `/share/fn/`. Arguments go by their names in a
/// JSON object. A declaration makes
/// - a function of that name, which the page calls;
/// - a method of that name in the area's trait, which the server implements: as long as it does not, it does not compile;
/// - Leptos' server function that leads from one to the other.
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
            /// The server refused the call, or did not answer.
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

        /// Makes the server functions of these calls known.
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
