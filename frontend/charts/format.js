// Formats numbers and dates by the same rules as `inlay_contract::format`. The tests of `inlay-render` compare both. The
// chart's option contains the locale's table, so that there is only one.

const MINUS = '\u2212';
const MISSING = '\u2013';
const SIGNS = { USD: '$', EUR: '€', GBP: '£', JPY: '¥', CNY: '¥', INR: '₹', KRW: '₩', UAH: '₴', TRY: '₺', BRL: 'R$' };
const DAY = 86_400_000;

/** Formats a non-negative number with at least `least` and at most `most` decimals. */
function decimal(amount, least, most, locale) {
  if (amount >= 1e21) return amount.toExponential(1).replace('+', '').replace('.', locale.decimal);
  const [whole, fraction = ''] = amount.toFixed(Math.min(most, 12)).split('.');
  const kept = Math.max(fraction.replace(/0+$/, '').length, Math.min(least, fraction.length));
  const grouped = amount >= locale.groupFrom ? whole.replace(/\B(?=(\d{3})+$)/g, () => locale.group) : whole;
  return kept > 0 ? grouped + locale.decimal + fraction.slice(0, kept) : grouped;
}

/** The digits of a shortened number and its abbreviation. */
function shorten(amount, format, language) {
  // CLDR does not group four digits before an abbreviation.
  const locale = { ...language, groupFrom: 10_000 };
  const [least, most] = format.decimals == null ? [0, 1] : [format.decimals, format.decimals];
  let at = -1;
  while (at + 1 < locale.compact.length && amount >= 10 ** locale.compact[at + 1][0]) at += 1;
  if (at < 0) return null;
  const [power, name] = locale.compact[at];
  const over = amount / 10 ** power;
  const next = locale.compact[at + 1];
  if (next && Number(over.toFixed(Math.min(most, 12))) >= 10 ** (next[0] - power)) return [decimal(1, least, most, locale), next[1]];
  return [decimal(over, least, most, locale), name];
}

function significant(amount) {
  let digits = 2;
  for (let threshold = 0.1; amount > 0 && amount < threshold && digits < 8; threshold /= 10) digits += 1;
  return digits;
}

function full(amount, format, locale) {
  const { decimals, style } = format;
  if (decimals != null) return decimal(amount, decimals, decimals, locale);
  if (style === 'percent') return decimal(amount, 0, 1, locale);
  if (style === 'currency') return Number.isInteger(amount) ? decimal(amount, 0, 0, locale) : decimal(amount, 2, 2, locale);
  return decimal(amount, 0, significant(amount), locale);
}

/** Formats a number. */
export function number(value, format, locale) {
  if (typeof value !== 'number' || !Number.isFinite(value)) return MISSING;
  const percent = format.style === 'percent';
  const amount = Math.abs(value) * (percent ? 100 : 1);
  const least = format.compactFrom ?? (format.style === 'compact' ? 10_000 : null);
  const short = least != null && amount >= least && !percent ? shorten(amount, format, locale) : null;
  const [digits, power] = short ?? [full(amount, format, locale), ''];
  let prefix = value < 0 && /[1-9]/.test(digits) ? MINUS : '';
  let suffix = power;
  if (percent) suffix += `${locale.percentGap}%`;
  if (format.style === 'currency') {
    const code = format.currency ?? 'USD';
    const sign = Object.hasOwn(SIGNS, code) ? SIGNS[code] : code;
    const gap = /[a-z]$/i.test(sign) ? '\u00a0' : locale.currencyGap;
    if (locale.currencyFirst) prefix += sign + gap;
    else suffix += gap + sign;
  }
  if (format.unit) suffix += (/^[%°′″]/.test(format.unit) ? '' : '\u00a0') + format.unit;
  return prefix + digits + suffix;
}

/** Parses a date, a date with a time, or a month to milliseconds since 1970. A number is returned as it is. */
export function moment(value) {
  if (typeof value === 'number') return value;
  const parts = /^(\d{4})-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?)?)?/.exec(String(value));
  if (!parts) return Number.NaN;
  const [, year, month, day = 1, hour = 0, minute = 0, second = 0] = parts.map((part) => (part === undefined ? part : Number(part)));
  // JavaScript would read a year below 100 as one of the 20th century.
  return new Date(Date.UTC(2000, month - 1, day, hour, minute, second)).setUTCFullYear(year, month - 1, day);
}

function clock(at, short, locale) {
  const [hour, minute] = [at.getUTCHours(), String(at.getUTCMinutes()).padStart(2, '0')];
  if (!locale.twelveHours) return `${String(hour).padStart(2, '0')}:${minute}`;
  const half = hour < 12 ? 'AM' : 'PM';
  const twelve = ((hour + 11) % 12) + 1;
  return short && minute === '00' ? `${twelve} ${half}` : `${twelve}:${minute} ${half}`;
}

/** Formats the start of a period. */
export function date(value, grain, form, locale) {
  const start = moment(value);
  const at = new Date(start);
  if (Number.isNaN(at.getTime())) return String(value);
  const month = at.getUTCMonth();
  const short = locale.shortMonths.split('|')[month];
  const fill = (pattern, day = at) =>
    pattern
      .replace('{d}', day.getUTCDate())
      .replace('{n}', day.getUTCMonth() + 1)
      .replace('{s}', locale.shortMonths.split('|')[day.getUTCMonth()])
      .replace('{l}', locale.longMonths.split('|')[day.getUTCMonth()])
      .replace('{y}', day.getUTCFullYear());
  const words = form === 'words';
  switch (grain) {
    case 'year':
      return String(at.getUTCFullYear());
    case 'quarter':
      return `Q${Math.floor(month / 3) + 1}${form === 'year' ? '' : ` ${at.getUTCFullYear()}`}`;
    case 'month':
      if (words) return fill(locale.month);
      return form === 'axis' && month === 0 ? String(at.getUTCFullYear()) : short;
    case 'week':
      return words ? `${fill(locale.date)} – ${fill(locale.date, new Date(start + 6 * DAY))}` : fill(locale.day);
    case 'minute':
      if (words) return `${fill(locale.date)}, ${clock(at, false, locale)}`;
      return at.getUTCHours() || at.getUTCMinutes() ? clock(at, true, locale) : fill(locale.day);
    default:
      return fill(words ? locale.date : locale.day);
  }
}

/** Formats a value with a number or date format. Without a format, the value is returned as text. The values of `full` are dates in words. */
export function text(value, format, locale) {
  if (value == null) return MISSING;
  if (format?.date) return date(value, format.date, format.full?.includes(value) ? 'words' : format.form, locale);
  if (format && typeof value === 'number') return number(value, format, locale);
  return String(value);
}
