// Globals that ECharts expects and QuickJS lacks. Timers never fire: a picture is drawn synchronously.

const nothing = () => 0;

globalThis.setTimeout ??= nothing;
globalThis.clearTimeout ??= nothing;
globalThis.console ??= /** @type {Console} */ (/** @type {unknown} */ ({ log: nothing, warn: nothing, error: nothing }));
