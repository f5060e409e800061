// What ECharts expects of its surroundings and QuickJS lacks. Nothing runs later: a picture is drawn at once or not at all.

const nothing = () => 0;

globalThis.setTimeout ??= nothing;
globalThis.clearTimeout ??= nothing;
globalThis.console ??= /** @type {Console} */ (/** @type {unknown} */ ({ log: nothing, warn: nothing, error: nothing }));
