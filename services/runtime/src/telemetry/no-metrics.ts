import type { Metrics } from './metrics.js';

const nothing = (): void => undefined;

/** One metric and child for everything. */
const silent = {
  inc: nothing,
  dec: nothing,
  set: nothing,
  observe: nothing,
  reset: nothing,
  remove: nothing,
  labels: (): unknown => silent,
};

/** Keeps nothing, for a process whose metrics nobody reads. */
export const noMetrics: Metrics = {
  counter: () => silent as never,
  gauge: () => silent as never,
  histogram: () => silent as never,
  read: nothing,
  readTotal: nothing,
  addProcess: nothing,
  expose: () => Promise.resolve({ contentType: 'text/plain', body: '' }),
};
