/** Stops asking what keeps failing, and tries again after a pause. */
export interface Breaker {
  /** Whether to ask now. While it is open, one call may try after each pause. */
  allows(): boolean;
  succeeded(): void;
  failed(): void;
}

/** This many failures in a row open it. */
const failuresToOpen = 5;
/** The first pause, which doubles with each failed trial, and the longest. */
const pauseMs = { first: 2_000, longest: 60_000 };

/** Makes a closed breaker. `now` counts milliseconds. */
export function createBreaker(now: () => number = () => performance.now()): Breaker {
  let failures = 0;
  let pause = pauseMs.first;
  let closedUntil: number | undefined;
  return {
    allows() {
      if (closedUntil === undefined) return true;
      if (now() < closedUntil) return false;
      // Only this call tries. Others wait for what comes of it, or for another pause.
      closedUntil = now() + pause;
      return true;
    },
    succeeded() {
      failures = 0;
      pause = pauseMs.first;
      closedUntil = undefined;
    },
    failed() {
      failures += 1;
      if (failures < failuresToOpen) return;
      if (failures > failuresToOpen) pause = Math.min(pause * 2, pauseMs.longest);
      closedUntil = now() + pause;
    },
  };
}
