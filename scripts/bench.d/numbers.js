// Small statistics functions.

/** The value that `share` percent of the values do not exceed. */
export function percentile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * share) / 100))];
}

/** The median. */
export const median = (values) => percentile(values, 50);
