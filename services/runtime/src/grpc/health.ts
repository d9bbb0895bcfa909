import { deadlineIn, deadlineSignal } from '../deadline.js';
import type { Logger } from '../log/logger.js';

/** Checks a dependency that the process needs, e.g. its database. */
export interface HealthCheck {
  readonly name: string;
  /** Resolves if the dependency works. A check that takes longer than 1 s has failed. */
  check(signal: AbortSignal): Promise<unknown>;
}

const intervalMs = 1000;
const limitMs = 1000;
const allowedMisses = 3;

/**
 * Checks every dependency once a second, and every two seconds while all of them work. The process is ready when each check has succeeded once and none has failed
 * three times in a row (SECURITY.md#between-the-services). A draining process never becomes ready again.
 */
export class Readiness {
  private readonly states: CheckState[];
  private readonly timer: NodeJS.Timeout;
  private draining = false;
  private rests = false;
  private shown: boolean | undefined;

  constructor(
    checks: readonly HealthCheck[],
    private readonly log: Logger,
    private readonly onChange: (ready: boolean, failing: string[]) => void,
    complete?: Promise<void>,
  ) {
    this.states = checks.map((check) => new CheckState(check));
    this.timer = setInterval(() => this.tick(), intervalMs);
    this.timer.unref();
    void complete?.then(
      () => this.poll(),
      () => undefined,
    );
    this.poll();
    this.update();
  }

  get ready(): boolean {
    return !this.draining && this.states.every((state) => state.healthy);
  }

  /** The names of the dependencies that do not work. */
  get failing(): string[] {
    return this.states.filter((state) => !state.healthy).map((state) => state.check.name);
  }

  drain(): void {
    this.draining = true;
    this.update();
  }

  close(): void {
    clearInterval(this.timer);
  }

  private tick(): void {
    this.rests = !this.rests && this.states.every((state) => state.works);
    if (!this.rests) this.poll();
  }

  private poll(): void {
    for (const state of this.states) {
      void state.poll().then((changed) => {
        if (changed && state.healthy) this.log.info({ dependency: state.check.name }, 'a dependency answers');
        else if (changed)
          this.log.warn({ dependency: state.check.name, err: state.failure }, 'a dependency does not answer');
        this.update();
      });
    }
  }

  private update(): void {
    const { ready } = this;
    if (ready === this.shown) return;
    this.shown = ready;
    this.onChange(ready, this.failing);
  }
}

class CheckState {
  healthy = false;
  failure: unknown;
  private misses = 0;
  private asking = false;

  constructor(readonly check: HealthCheck) {}

  /** Whether the last check succeeded. */
  get works(): boolean {
    return this.healthy && this.misses === 0;
  }

  /** Checks every dependency once. Returns whether readiness changed. */
  async poll(): Promise<boolean> {
    if (this.asking) return false;
    this.asking = true;
    const before = this.healthy;
    const limit = deadlineSignal(deadlineIn(limitMs));
    try {
      await Promise.race([this.check.check(limit.signal), rejection(limit.signal)]);
      this.misses = 0;
      this.healthy = true;
    } catch (error) {
      this.failure = error;
      this.misses++;
      if (this.misses >= allowedMisses) this.healthy = false;
    } finally {
      limit.clear();
      this.asking = false;
    }
    return this.healthy !== before || (!this.healthy && this.misses === allowedMisses);
  }
}

// Ends the wait also for a check that ignores its signal.
function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
