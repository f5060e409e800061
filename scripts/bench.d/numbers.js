// Small statistics, and what the system counts.
import { readFile } from 'node:fs/promises';

/** The value that `share` percent of the values do not exceed. */
export function percentile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * share) / 100))];
}

/** The median. */
export const median = (values) => percentile(values, 50);

/** Ticks a second in /proc, which Linux has fixed for programs. */
const TICKS = 100;

/** Seconds of processor time that a process has used so far, all its threads together. */
export async function processorSeconds(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name, in parentheses, may hold spaces; `utime` and `stime` are the 12th and 13th fields after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}
