import { describe, expect, it, vi } from 'vitest';
import { childDeadline, deadlineIn, deadlineSignal, remainingMs } from './deadline.js';

describe('deadlines', () => {
  it('become earlier with each call to another service, and never later', () => {
    expect(childDeadline(10_000, 1500, 5000)).toBe(6500);
    expect(childDeadline(6000, 1500, 5000)).toBe(5950);
    expect(childDeadline(Number.POSITIVE_INFINITY, 1500, 5000)).toBe(6500);
  });

  it('never have a negative time left', () => {
    expect(remainingMs(100, 200)).toBe(0);
    expect(remainingMs(deadlineIn(50, 100), 100)).toBe(50);
  });
});

describe('deadlineSignal', () => {
  it('aborts at the deadline with a TimeoutError', async () => {
    const { signal } = deadlineSignal(deadlineIn(5));
    await vi.waitFor(() => expect(signal.aborted).toBe(true));
    expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
  });

  it('aborts at once when the deadline has passed', async () => {
    const { signal } = deadlineSignal(deadlineIn(-1000));
    await vi.waitFor(() => expect(signal.aborted).toBe(true));
  });

  it('aborts with its parent, also if the parent has already aborted', () => {
    const parent = new AbortController();
    const early = deadlineSignal(deadlineIn(60_000), parent.signal);
    parent.abort('gone');
    expect(early.signal.reason).toBe('gone');
    expect(deadlineSignal(deadlineIn(60_000), parent.signal).signal.reason).toBe('gone');
  });

  it('keeps no timer and no listener after `clear`', () => {
    vi.useFakeTimers();
    const parent = new AbortController();
    const { signal, clear } = deadlineSignal(deadlineIn(10), parent.signal);
    clear();
    parent.abort();
    expect(vi.getTimerCount()).toBe(0);
    expect(signal.aborted).toBe(false);
    vi.useRealTimers();
  });

  it('accepts an infinite deadline and one that is too late for a timer', () => {
    expect(deadlineSignal(Number.POSITIVE_INFINITY).signal.aborted).toBe(false);
    const far = deadlineSignal(deadlineIn(2 ** 40));
    expect(far.signal.aborted).toBe(false);
    far.clear();
  });
});
