import { describe, expect, it, vi } from 'vitest';
import { childDeadline, deadlineIn, deadlineSignal, remainingMs } from './deadline.js';

describe('deadlines', () => {
  it('shrink on their way down, and never grow', () => {
    expect(childDeadline(10_000, 1500, 5000)).toBe(6500);
    expect(childDeadline(6000, 1500, 5000)).toBe(5950);
    expect(childDeadline(Number.POSITIVE_INFINITY, 1500, 5000)).toBe(6500);
  });

  it('leave no negative time', () => {
    expect(remainingMs(100, 200)).toBe(0);
    expect(remainingMs(deadlineIn(50, 100), 100)).toBe(50);
  });
});

describe('deadlineSignal', () => {
  it('aborts at its time with a TimeoutError', async () => {
    const { signal } = deadlineSignal(deadlineIn(5));
    await vi.waitFor(() => expect(signal.aborted).toBe(true));
    expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
  });

  it('aborts at once when the time is over', async () => {
    const { signal } = deadlineSignal(deadlineIn(-1000));
    await vi.waitFor(() => expect(signal.aborted).toBe(true));
  });

  it('follows its parent, also one that is gone already', () => {
    const parent = new AbortController();
    const early = deadlineSignal(deadlineIn(60_000), parent.signal);
    parent.abort('gone');
    expect(early.signal.reason).toBe('gone');
    expect(deadlineSignal(deadlineIn(60_000), parent.signal).signal.reason).toBe('gone');
  });

  it('holds nothing once cleared', () => {
    vi.useFakeTimers();
    const parent = new AbortController();
    const { signal, clear } = deadlineSignal(deadlineIn(10), parent.signal);
    clear();
    parent.abort();
    expect(vi.getTimerCount()).toBe(0);
    expect(signal.aborted).toBe(false);
    vi.useRealTimers();
  });

  it('takes an infinite deadline and one beyond what a timer can hold', () => {
    expect(deadlineSignal(Number.POSITIVE_INFINITY).signal.aborted).toBe(false);
    const far = deadlineSignal(deadlineIn(2 ** 40));
    expect(far.signal.aborted).toBe(false);
    far.clear();
  });
});
