import { StaffServiceService } from '@knowledge/proto/knowledge/identity/v1/staff';
import type { GrpcClient } from '@knowledge/runtime/client';
import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { readListPages } from '../../connection/list-pages.js';
import { addExamples } from '../../global-options.js';
import { resolveId } from '../../ids.js';
import { limitOption, reasonOption } from '../../options.js';
import { requireField } from '../../present/require-field.js';
import { presentStaffSession, staffSessionColumns } from '../../present/staff.js';
import type { Session } from '../../session.js';

export function addSessions(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('sessions')
    .description('list who is signed in to the web desk, newest first')
    .option('--all', 'also sessions that are over; they are kept for 30 days')
    .addOption(limitOption())
    .action(
      handle(async (session, { all = false, limit }: { all?: boolean; limit?: number }) => {
        const staff = session.connect('identity', StaffServiceService);
        const found = await readSessions(session, staff, { open: !all, limit });
        const words = { one: 'session', none: 'Nobody is signed in.', cut: found.cut };
        session.print.list(found.items.map(presentStaffSession), staffSessionColumns, words);
      }),
    );
  addExamples(command, 'desk sessions', 'desk sessions --all --limit 20');
}

export function addEndSession(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('end-session')
    .description('sign a person out of the web desk at once')
    .argument('<id>', 'its id, as "desk sessions" shows it, or its first characters (at least 4)')
    .addOption(reasonOption('why, stored with the end of the session'))
    .action(
      handle(async (session, id: string, { reason }: { reason: string }) => {
        const staff = session.connect('identity', StaffServiceService);
        const whole = await resolveId(
          id,
          async () => (await readSessions(session, staff, { open: true })).items,
          'open session',
        );
        const ended = await staff.endSession({ id: whole, reason }, session.callContext());
        const now = presentStaffSession(requireField(ended.session));
        session.print.result(now, ({ name }) => `The session of ${name} is over.`);
      }),
    );
  addExamples(command, 'desk end-session ID --reason "lost laptop"');
}

type StaffClient = GrpcClient<typeof StaffServiceService>;

function readSessions(
  session: Session,
  staff: StaffClient,
  { open, limit }: { open: boolean; limit?: number | undefined },
) {
  return readListPages(limit, session.print, async (pageSize, pageToken) => {
    const page = await staff.listSessions({ open, pageSize, pageToken }, session.callContext());
    return { items: page.sessions, nextPageToken: page.nextPageToken };
  });
}
