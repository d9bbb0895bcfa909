import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { freshFolder } from '@knowledge/runtime/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { choosePorts, freePort, holdPort, type Ports, readLocalConfig } from './ports.js';

const dir = freshFolder();
let stranger: Server | undefined;

afterEach(() => {
  stranger?.close();
  stranger = undefined;
});

describe('the ports of a local start', () => {
  it('are all different and the same at the next start', async () => {
    const first = await choose({ PORT: '0' });
    expect(new Set(Object.values(first)).size).toBe(9);
    expect(await choose({ PORT: '0' })).toEqual(first);
  });

  it('are the configured ones where they are configured', async () => {
    const port = await freePort();
    expect(await choose({ PORT: '0', CONTENT_PORT: String(port) })).toMatchObject({ content: port });
  });

  it('are kept from another start until they are used', async () => {
    const port = await freePort();
    const release = await holdPort(port);
    expect(await freePort(port)).not.toBe(port);
    await expect(holdPort(port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await release();
    expect(await freePort(port)).toBe(port);
  });

  it('move where somebody else has a kept one, and only there', async () => {
    const first = await choose({ PORT: '0' });
    await occupy(first.quota);
    const { quota, ...others } = await choose({ PORT: '0' });
    expect(first).toMatchObject(others);
    expect(quota).not.toBe(first.quota);
  });

  it('are refused by name where a configured one is taken', async () => {
    const port = await freePort();
    await occupy(port);
    await expect(choose({ PORT: String(port) })).rejects.toThrow(`Port ${port} (PORT) is taken`);
    await expect(choose({ PORT: String(port) })).rejects.toThrow(`PORT=${port + 1} npm start`);
    const taken = choose({ PORT: '0', IDENTITY_PORT: String(port) });
    await expect(taken).rejects.toThrow(`Port ${port} (IDENTITY_PORT) is taken`);
    const twice = String(await freePort());
    await expect(choose({ PORT: twice, DESK_PORT: twice })).rejects.toThrow(`Port ${twice} is given twice.`);
  });
});

it.each(['::', '::1', '[::]', '[::1]', '0.0.0.0', 'localhost'])('can be those of HOST=%s', async (HOST) => {
  const port = await freePort();
  expect(await choose({ HOST, PORT: String(port) })).toMatchObject({ gateway: port });
  expect(await choose({ HOST, PORT: '0' })).toMatchObject({ gateway: expect.any(Number) });
});

it.each(['192.0.2.7', '2001:db8::7', 'nobody.invalid'])('are refused for HOST=%s, of another machine', async (HOST) => {
  for (const PORT of ['0', '18080'])
    await expect(choose({ HOST, PORT })).rejects.toThrow(`HOST is ${HOST}, which is no`);
});

const firstFree = '/proc/sys/net/ipv4/ip_unprivileged_port_start';
it.skipIf(!existsSync(firstFree) || Number(readFileSync(firstFree, 'utf8')) <= 80)(
  'are refused as forbidden where only the administrator may listen',
  async () => {
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    try {
      await expect(choose({ PORT: '80' })).rejects.toThrow('This user may not listen on port 80 (PORT)');
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  },
);

function choose(env: Record<string, string>): Promise<Ports> {
  return choosePorts(readLocalConfig({ DATA_DIR: dir, ...env }, '/nowhere'));
}

async function occupy(port: number): Promise<void> {
  const server = createServer();
  stranger = server;
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
}
