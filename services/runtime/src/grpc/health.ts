import { type Server, type ServerWritableStream, status } from '@grpc/grpc-js';
import {
  type HealthCheckRequest,
  type HealthCheckResponse,
  type HealthServer,
  HealthService,
  HealthCheckResponse_ServingStatus as Serving,
} from '@knowledge/proto/grpc/health/v1/health';
import { within } from '../deadline.js';
import { orAbort } from '../lifecycle/promises.js';
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
    /** Learns whether the process is ready now, and the names of the dependencies that do not work. */
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

  drain(): void {
    this.draining = true;
    this.update();
  }

  close(): void {
    clearInterval(this.timer);
  }

  private tick() {
    this.rests = !this.rests && this.states.every((state) => state.works);
    if (!this.rests) this.poll();
  }

  private poll() {
    for (const state of this.states) {
      void state.poll().then((changed) => {
        if (changed && state.healthy) this.log.info({ dependency: state.check.name }, 'a dependency answers');
        else if (changed)
          this.log.warn({ dependency: state.check.name, err: state.failure }, 'a dependency does not answer');
        this.update();
      });
    }
  }

  private update() {
    const failing = this.states.filter((state) => !state.healthy).map((state) => state.check.name);
    const ready = !this.draining && failing.length === 0;
    if (ready === this.shown) return;
    this.shown = ready;
    this.onChange(ready, failing);
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
    try {
      // `orAbort` ends the wait also for a check that ignores its signal.
      await within(limitMs, (signal) => orAbort(this.check.check(signal), signal));
      this.misses = 0;
      this.healthy = true;
    } catch (error) {
      this.failure = error;
      this.misses++;
      if (this.misses >= allowedMisses) this.healthy = false;
    } finally {
      this.asking = false;
    }
    return this.healthy !== before || (!this.healthy && this.misses === allowedMisses);
  }
}

/**
 * Adds one shared health service to all the given servers. It is made from our generated code, since the library
 * `grpc-health-check` parses its proto at each start and keeps two more libraries in memory for that.
 */
export function addHealth(servers: readonly Pick<Server, 'addService'>[], services: readonly string[]) {
  const names = ['', 'readiness', ...services];
  const statuses = new Map([['liveness', Serving.SERVING]]);
  const watches = new Set<Watch>();
  const health: HealthServer = {
    check: ({ request }, answer) => {
      const known = statuses.get(request.service);
      if (known !== undefined) answer(null, { status: known });
      else answer({ code: status.NOT_FOUND, details: `Health status unknown for service ${request.service}` });
    },
    watch: (call) => {
      watches.add(call);
      call.once('cancelled', () => watches.delete(call));
      call.write({ status: statuses.get(call.request.service) ?? Serving.SERVICE_UNKNOWN });
    },
    list: (_call, answer) => {
      const all = [...statuses].map(([name, status]) => [name, { status }] as const);
      answer(null, { statuses: Object.fromEntries(all) });
    },
  };
  const setReady = (ready: boolean) => {
    const status = ready ? Serving.SERVING : Serving.NOT_SERVING;
    for (const name of names) statuses.set(name, status);
    for (const call of watches) if (names.includes(call.request.service)) call.write({ status });
  };
  setReady(false);
  for (const server of servers) server.addService(HealthService, health);
  return {
    /** Sets the status of "", "readiness" and every service. "liveness" is SERVING as long as the process runs. */
    setReady,
    /** Ends the open health watches, since they would keep a draining server alive. */
    endWatches() {
      for (const call of watches) call.end();
      watches.clear();
    },
  };
}

type Watch = ServerWritableStream<HealthCheckRequest, HealthCheckResponse>;
