import { deadlineIn } from '@knowledge/runtime';
import type { Command } from 'commander';
import type { Act } from '../../desk.js';
import { addExamples } from '../../global-options.js';
import { cleanLine } from '../../print/clean.js';
import { reachableMs, type Session } from '../../session.js';
import { type Cursors, joinCursors, splitCursors } from '../../watch/cursor.js';
import { allBegun, follow } from '../../watch/follow.js';
import { type EventView, openSources } from '../../watch/sources.js';

/** `knowledge watch`, for analysts: every transition of content, contributions and identity. */
export function addWatch(program: Command, act: Act): void {
  const command = program
    .command('watch')
    .description(
      'follow every change of articles, highlights, objects, contributions, prompts, authorizations and tokens, one line ' +
        '(with --json one object) each; resumed with --after it loses and repeats nothing. Ctrl-C ends it',
    )
    .option('--after <cursor>', 'the cursor of the last event seen, or 0 for everything (default: from now on)')
    .action(
      act(async (session, { after }: { after?: string }) => {
        const { interrupted } = session.host;
        const ended = new AbortController();
        try {
          await watch(session, splitCursors(after), AbortSignal.any([interrupted, ended.signal]));
        } catch (error) {
          if (!interrupted.aborted) throw error;
        } finally {
          ended.abort();
        }
      }),
    );
  addExamples(command, 'watch', 'watch --json --after content:12,contributions:3,identity:9', 'watch --json --after 0');
}

async function watch(session: Session, cursors: Cursors, signal: AbortSignal): Promise<void> {
  const tell = (text: string): void => void session.host.stderr.write(`${text}\n`);
  const sources = openSources(session, signal);
  await Promise.all(sources.map((source) => source.ready(deadlineIn(reachableMs))));
  const followers = sources.map((source) => follow(source, cursors[source.service], signal, tell));
  // An event is shown only when all have begun: its cursor says where each of them stands.
  const beginnings = await allBegun(followers, reachableMs, signal);
  followers.forEach(({ source }, at) => {
    cursors[source.service] ||= beginnings[at] ?? '';
  });
  tell(`watching from ${joinCursors(cursors)}`);
  await Promise.all(
    followers.map(({ run }) =>
      run((event, cursor) => {
        cursors[event.service] = cursor;
        session.print.event({ cursor: joinCursors(cursors), ...event }, format);
      }),
    ),
  );
}

function format(event: EventView & { cursor: string }): string {
  const when = (event.occurred_at ?? '').slice(0, 19).replace('T', ' ');
  const name = 'slug' in event ? event.slug : event.id;
  const what = `${event.subject} ${name}${event.site === null || name === event.site ? '' : ` on ${event.site}`}`;
  const change = `${event.from_state || 'new'} → ${event.state}`;
  return cleanLine(`${when}  ${what}: ${change}  by ${event.actor}${event.reason ? `  "${event.reason}"` : ''}`);
}
