import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConfigError } from '../config/read-config.js';
import { createLogger } from '../log/logger.js';
import { closeAll } from './promises.js';
import { runMain } from './run-main.js';

describe('closeAll', () => {
  it('closes in reverse order, one after the other', async () => {
    const seen: string[] = [];
    const closable = (name: string) => ({
      close: async () => {
        seen.push(`${name} begins`);
        await Promise.resolve();
        seen.push(`${name} ends`);
      },
    });
    await closeAll([closable('first'), undefined, closable('second')]);
    expect(seen).toEqual(['second begins', 'second ends', 'first begins', 'first ends']);
  });

  it('closes the rest when one fails, and reports the failure', async () => {
    const close = vi.fn();
    const failing = {
      close: () => {
        throw new Error('stuck');
      },
    };
    await expect(closeAll([{ close }, failing])).rejects.toThrow('stuck');
    expect(close).toHaveBeenCalledOnce();
    await expect(closeAll([failing, failing])).rejects.toBeInstanceOf(AggregateError);
  });

  it('stops waiting at its limit and still closes the rest', async () => {
    const close = vi.fn();
    const hanging = { close: () => new Promise(() => undefined) };
    await expect(closeAll([{ close }, hanging], 20)).rejects.toThrow('within 20 ms');
    expect(close).toHaveBeenCalledOnce();
  });
});

describe('runMain', () => {
  const signals = ['SIGTERM', 'SIGINT', 'uncaughtException', 'unhandledRejection'] as const;
  const before = signals.map((signal) => [signal, process.listeners(signal as 'SIGTERM')] as const);
  // After 2 s runMain calls `process.exit`, which would end the test process, also during a later file.
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
  });
  afterEach(() => {
    vi.useRealTimers();
    for (const [signal, listeners] of before)
      for (const listener of process.listeners(signal as 'SIGTERM'))
        if (!listeners.includes(listener)) process.removeListener(signal, listener);
    process.exitCode = 0;
    vi.restoreAllMocks();
  });

  function service() {
    const lines: string[] = [];
    const log = createLogger({ name: 'service', destination: { write: (line) => void lines.push(line) } });
    return { address: '127.0.0.1:1', log, lines, close: vi.fn(async () => undefined) };
  }

  async function started() {
    const running = service();
    await runMain(async () => running);
    return running;
  }

  it('logs "listening" once, with the address, and closes on SIGTERM', async () => {
    const running = await started();
    expect(running.lines.filter((line) => line.includes('"message":"listening"'))).toHaveLength(1);
    expect(running.lines.join('')).toContain('"address":"127.0.0.1:1"');
    process.emit('SIGTERM');
    process.emit('SIGINT');
    await vi.waitFor(() => expect(running.lines.join('')).toContain('stopped'));
    expect(running.close).toHaveBeenCalledOnce();
    expect(process.exitCode ?? 0).toBe(0);
  });

  it('closes a service that is still starting when the signal arrives', async () => {
    const running = service();
    await runMain(async () => {
      process.emit('SIGTERM');
      return running;
    });
    expect(running.close).toHaveBeenCalledOnce();
  });

  it('prints the faults of a wrong configuration and exits with 1', async () => {
    const printed = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    await runMain(() => Promise.reject(new ConfigError(['PORT is missing; expected a port'])));
    expect(printed.mock.calls.join('')).toContain('  PORT is missing; expected a port\n');
    expect(process.exitCode).toBe(1);
  });

  const systemError = (code: string, syscall: string) =>
    Object.assign(new Error(`${syscall} ${code}`), { code, syscall });

  const ofConnections = ['ECONNRESET read', 'ECONNRESET write', 'EPIPE write', 'EMFILE accept'];
  it.each(ofConnections)('continues after %s, and logs it', async (failure) => {
    const [code = '', syscall = ''] = failure.split(' ');
    const running = await started();
    process.emit('uncaughtException', systemError(code, syscall));
    await vi.waitFor(() => expect(running.lines.join('')).toContain('the error of a connection'));
    expect(running.close).not.toHaveBeenCalled();
    expect(process.exitCode ?? 0).toBe(0);
  });

  it.each([
    new TypeError('x is undefined'),
    systemError('ECONNREFUSED', 'connect'),
    systemError('EACCES', 'open'),
    Object.assign(new Error('made up'), { code: 'ECONNRESET' }),
  ])('ends with 1 after %s', async (error) => {
    const running = await started();
    process.emit('uncaughtException', error);
    expect(running.close).toHaveBeenCalledOnce();
    expect(process.exitCode).toBe(1);
  });

  it('exits with 1 when closing fails', async () => {
    const running = service();
    running.close.mockRejectedValue(new Error('stuck'));
    await runMain(async () => running);
    process.emit('SIGTERM');
    await vi.waitFor(() => expect(running.lines.join('')).toContain('stuck'));
    expect(process.exitCode).toBe(1);
  });
});
