import { StaffServiceService } from '@knowledge/proto/knowledge/identity/v1/staff';
import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { readListPages } from '../../connection/list-pages.js';
import { addExamples } from '../../global-options.js';
import { limitOption } from '../../options.js';
import { presentStaffMember, staffMemberColumns } from '../../present/staff.js';

export function addStaff(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('staff')
    .description('list who has signed in to the web desk, with the roles of the last sign-in')
    .addOption(limitOption())
    .action(
      handle(async (session, { limit }: { limit?: number }) => {
        const staff = session.connect('identity', StaffServiceService);
        const found = await readListPages(limit, session.print, async (pageSize, pageToken) => {
          const page = await staff.listStaff({ pageSize, pageToken }, session.callContext());
          return { items: page.members, nextPageToken: page.nextPageToken };
        });
        const words = { one: 'staff member', none: 'Nobody has signed in yet.', cut: found.cut };
        session.print.list(found.items.map(presentStaffMember), staffMemberColumns, words);
      }),
    );
  addExamples(command, 'desk staff');
}
