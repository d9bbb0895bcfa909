import { vi } from 'vitest';

/** The time limit for a condition on a busy machine. It is shorter than the shortest time limit of a test. */
const patienceMs = 8000;

const { waitFor, waitUntil } = vi;

// The default limit of one second was too short on busy machines.
vi.waitFor = (condition, options) => waitFor(condition, withPatience(options));
vi.waitUntil = (condition, options) => waitUntil(condition, withPatience(options));

function withPatience(options: Parameters<typeof waitFor>[1] = {}) {
  return typeof options === 'number' ? options : { timeout: patienceMs, interval: 20, ...options };
}
