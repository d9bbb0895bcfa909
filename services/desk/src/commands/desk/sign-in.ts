import { createHash, randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { StaffServiceService } from '@knowledge/proto/knowledge/identity/v1/staff';
import { type Command, Option } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { UsageError } from '../../desk-error.js';
import { addExamples } from '../../global-options.js';
import { staffRoles } from '../../present/staff.js';
import { timestamp } from '../../print/time.js';

interface Options {
  name: string;
  role: string[];
  url?: string;
}

export function addSignIn(parent: Command, handle: CommandHandler): void {
  const role = new Option('--role <role...>', 'what the person may do').choices(staffRoles.words);
  const command = parent
    .command('sign-in')
    .description('print a link with which one person signs in to a local web desk, once, within ten minutes')
    .option('--name <name>', 'who signs in; what they change is stored under this name', ownName())
    .addOption(role.default(['administrator']))
    .option('--url <url>', 'where the web desk is, if no local start says so')
    .action(
      handle(async (session, { name, role, url = session.settings.runFile?.desk }: Options) => {
        if (url === undefined) throw new UsageError('No web desk runs here; give its address with --url.');
        const code = randomBytes(32).toString('base64url');
        const codeHash = createHash('sha256').update(code).digest('base64url');
        const request = { codeHash, name, roles: role.map(staffRoles.toWire) };
        const staff = session.connect('identity', StaffServiceService);
        const { expiresAt } = await staff.createSignInCode(request, session.callContext());
        const link = new URL(`/sign-in?code=${code}`, url).href;
        session.print.result({ url: link, name, roles: role, expires_at: timestamp(expiresAt) }, (made) => made.url);
      }),
    );
  addExamples(command, 'desk sign-in', 'desk sign-in --name mona --role moderator support');
}

function ownName(): string {
  try {
    return userInfo().username;
  } catch {
    // The user of a container may have no name.
    return 'administrator';
  }
}
