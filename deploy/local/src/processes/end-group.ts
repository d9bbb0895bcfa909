import { setTimeout as delay } from 'node:timers/promises';

const graceMs = 30_000;

/** Ends the processes of a group whose leader is gone. After 30 s, SIGKILL ends those that ignored SIGTERM. */
export async function endGroup(leader: number): Promise<void> {
  const giveUp = Date.now() + graceMs;
  signalGroup(leader, 'SIGTERM');
  while (signalGroup(leader, 0) && Date.now() < giveUp) await delay(20);
  signalGroup(leader, 'SIGKILL');
}

/** @returns false if no process of the group is left */
function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-leader, signal);
  } catch {
    return false;
  }
}
