/** The time at which a caller stops waiting, in milliseconds since the epoch. `Infinity` means never. */
export type Deadline = number;

/** Each hop stops this much earlier than its caller, so that its response still arrives in time. */
export const hopMarginMs = 50;

/** The deadline `ms` from now. */
export function deadlineIn(ms: number, now = Date.now()): Deadline {
  return now + ms;
}

/** The deadline of a call made on behalf of another: min(now + own, parent − 50 ms). */
export function childDeadline(parent: Deadline, ownMs: number, now = Date.now()): Deadline {
  return Math.min(now + ownMs, parent - hopMarginMs);
}

/** The milliseconds left, never negative. */
export function remainingMs(deadline: Deadline, now = Date.now()): number {
  return Math.max(0, deadline - now);
}

/** An AbortSignal whose timer can be stopped. */
export interface DeadlineSignal {
  readonly signal: AbortSignal;
  /** Stops the timer and detaches from the parent. Call it when the work is done. */
  clear(): void;
}

/**
 * A signal that aborts at the deadline with a `TimeoutError`, or earlier with the parent's reason. It is cheaper than
 * `AbortSignal.any` with `AbortSignal.timeout`, and keeps no reference once cleared.
 */
export function deadlineSignal(deadline: Deadline, parent?: AbortSignal): DeadlineSignal {
  const controller = new AbortController();
  if (parent?.aborted) {
    controller.abort(parent.reason);
    return { signal: controller.signal, clear: () => undefined };
  }
  const onParent = (): void => {
    clear();
    controller.abort(parent?.reason);
  };
  const timer = Number.isFinite(deadline)
    ? setTimeout(
        () => {
          clear();
          controller.abort(new DOMException('The deadline passed.', 'TimeoutError'));
        },
        Math.min(remainingMs(deadline), maxTimerMs),
      )
    : undefined;
  const clear = (): void => {
    clearTimeout(timer);
    parent?.removeEventListener('abort', onParent);
  };
  parent?.addEventListener('abort', onParent, { once: true });
  return { signal: controller.signal, clear };
}

// Node fires a longer timer at once.
const maxTimerMs = 2 ** 31 - 1;
