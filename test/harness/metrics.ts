import { freePort } from './free-port.js';
import { serviceNames } from './system.js';

/** The metrics addresses of the five processes of a test system. */
export interface MetricsPorts {
  /** The variables for `SystemOptions.envOf`. */
  readonly envOf: Record<string, Record<string, string>>;
  /** The `host:port` at which each process serves its metrics. */
  readonly addresses: Readonly<Record<string, string>>;
}

/** Finds a free metrics address for each process. */
export async function metricsPorts(): Promise<MetricsPorts> {
  const names = [...serviceNames, 'gateway'];
  const addresses = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, `127.0.0.1:${await freePort()}`] as const)),
  );
  const envOf = Object.fromEntries(names.map((name) => [name, { METRICS_ADDRESS: addresses[name] ?? '' }]));
  return { addresses, envOf };
}

/** One line of the metrics text. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Parses metrics in the text format of Prometheus; throws for an invalid line. */
export function parseMetrics(text: string): Sample[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const match = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line);
      const value = match?.[3] === '+Inf' ? Number.POSITIVE_INFINITY : Number(match?.[3]);
      if (match?.[1] === undefined || (Number.isNaN(value) && match[3] !== 'Nan'))
        throw new Error(`Not a sample: ${line}`);
      return { name: match[1], labels: parseLabels(match[2] ?? ''), value };
    });
}

/** Adds up the samples with this name and these labels; undefined if there are none. */
export function sumOf(
  samples: readonly Sample[],
  name: string,
  labels: Record<string, string> = {},
): number | undefined {
  const found = samples.filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  );
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
}

function parseLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const [, name = '', value = ''] of text.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g)) {
    labels[name] = value.replace(/\\(.)/g, (_all, each: string) => (each === 'n' ? '\n' : each));
  }
  return labels;
}
