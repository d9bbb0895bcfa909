import { type Server, type ServerWritableStream, status } from '@grpc/grpc-js';
import {
  type HealthCheckRequest,
  type HealthCheckResponse,
  type HealthServer,
  HealthService,
  HealthCheckResponse_ServingStatus as Serving,
} from '@knowledge/proto/grpc/health/v1/health';

/** Controls the `grpc.health.v1` service of a server. */
export interface Health {
  /** Sets the status of "", "readiness" and every service. "liveness" is SERVING as long as the process runs. */
  setReady(ready: boolean): void;
  /** Ends the open health watches, since they would keep a draining server alive. */
  endWatches(): void;
}

/**
 * Adds one shared health service to all the given servers. It is made from our generated code, since the library
 * `grpc-health-check` parses its proto at each start and keeps two more libraries in memory for that.
 */
export function addHealth(servers: readonly Pick<Server, 'addService'>[], services: readonly string[]): Health {
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
  const setReady = (ready: boolean): void => {
    const status = ready ? Serving.SERVING : Serving.NOT_SERVING;
    for (const name of names) statuses.set(name, status);
    for (const call of watches) if (names.includes(call.request.service)) call.write({ status });
  };
  setReady(false);
  for (const server of servers) server.addService(HealthService, health);
  return {
    setReady,
    endWatches: () => {
      for (const call of watches) call.end();
      watches.clear();
    },
  };
}

type Watch = ServerWritableStream<HealthCheckRequest, HealthCheckResponse>;
