/**
 * The field `time` of a log line, with a comma before it. It is formatted like pino's isoTime, but only once per
 * millisecond, since many lines share a millisecond.
 */
export function timeField(): string {
  const now = Date.now();
  if (now !== latestMs) {
    latestMs = now;
    latestTime = `,"time":"${new Date(now).toISOString()}"`;
  }
  return latestTime;
}

let latestMs = 0;
let latestTime = '';
