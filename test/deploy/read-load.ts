import { randomUUID } from 'node:crypto';
import { call } from '../harness/http.js';

/** A load that reads articles until it is stopped. */
export interface ReadLoad {
  /** The number of successful reads by reader. */
  readonly byReader: ReadonlyMap<string, number>;
  readonly unexpected: readonly string[];
  /** The number of all successful reads. */
  granted(): number;
  stop(): Promise<void>;
}

/** Starts to read one to three articles for each reader. */
export function startReadLoad(gateways: readonly string[], slugs: readonly string[]): ReadLoad {
  const byReader = new Map<string, number>();
  const unexpected: string[] = [];
  let stopping = false;
  const reading = async (): Promise<void> => {
    for (let at = 0; !stopping; at += 1) {
      const reader = `load-${randomUUID()}`;
      byReader.set(reader, 0);
      for (let read = 0; read <= at % 3; read += 1) {
        const url = `${gateways[read % gateways.length]}/api/v1/content/${slugs[at % slugs.length]}?site=org`;
        const { status, text } = await call(url, { headers: { 'x-agent-client-id': reader } });
        if (status === 200) byReader.set(reader, (byReader.get(reader) ?? 0) + 1);
        else unexpected.push(text);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const everybody = [reading(), reading()];
  return {
    byReader,
    unexpected,
    granted: () => [...byReader.values()].reduce((sum, each) => sum + each, 0),
    async stop() {
      stopping = true;
      await Promise.all(everybody);
    },
  };
}
