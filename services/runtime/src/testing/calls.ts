import type { ClientReadableStream } from '@grpc/grpc-js';
import type { KnowledgeError } from '../errors/knowledge-error.js';
import { fromServiceError } from '../grpc/status.js';
import type { Metrics } from '../telemetry/metrics.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { noTracing } from '../telemetry/tracing.js';

/** Telemetry that a test reads from its metrics. */
export const telemetryOf = (metrics: Metrics, tracing: Telemetry['tracing'] = noTracing): Telemetry => ({
  ...{ metrics, tracing, answerProbes: () => undefined, close: () => Promise.resolve() },
});

/** Reads all list pages. */
export async function allPages<Page extends { nextPageToken: string }>(
  read: (pageToken: string) => Promise<Page>,
): Promise<Page[]> {
  const pages = [await read('')];
  for (let last = pages[0]; last !== undefined && last.nextPageToken !== ''; last = pages.at(-1))
    pages.push(await read(last.nextPageToken));
  return pages;
}

/** Collects what a stream sends. `ended` is its error, if it has one. */
export function collect<Message>(call: ClientReadableStream<Message>) {
  const seen: Message[] = [];
  const ended = new Promise<KnowledgeError | undefined>((resolve) => {
    call.on('end', () => resolve(undefined));
    call.on('error', (error: unknown) => resolve(fromServiceError(error)));
  });
  const begun = new Promise((resolve) => call.once('metadata', resolve));
  call.on('data', (message: Message) => seen.push(message));
  return { seen, begun, ended, stop: () => call.cancel() };
}
