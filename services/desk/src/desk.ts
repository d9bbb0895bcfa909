import { createRequire } from 'node:module';
import { type Command, Help, type Option } from 'commander';
import type { CommandHandler } from './command-handler.js';
import { addArticleCommands } from './commands/article/index.js';
import { addAuthorizationCommands } from './commands/authorization/index.js';
import { addCompletion } from './commands/completion/index.js';
import { addGlossCommands } from './commands/gloss/index.js';
import { addHighlightCommands } from './commands/highlight/index.js';
import { addObjectCommands } from './commands/object/index.js';
import { addPersonCommands } from './commands/person/index.js';
import { addPromptCommands } from './commands/prompt/index.js';
import { addQuotaCommands } from './commands/quota/index.js';
import { addReviewCommands } from './commands/review/index.js';
import { addSearchCommands } from './commands/search/index.js';
import { addStatus } from './commands/status/index.js';
import { addSynonymCommands } from './commands/synonym/index.js';
import { addTokenCommands } from './commands/token/index.js';
import { addWatch } from './commands/watch/index.js';
import { DeskCommand } from './desk-command.js';
import { DeskError } from './desk-error.js';
import { reportFailure } from './failure.js';
import { addExamples, addGlobalOptions, frequentGlobalOptions } from './global-options.js';
import type { Host } from './host.js';
import { openSession, type Session } from './session.js';
import type { GlobalFlags } from './settings.js';

const { version } = createRequire(import.meta.url)('../package.json') as { version: string };

/**
 * Runs one command line and returns its exit code: 0 done, 1 refused or failed, 2 wrong usage (ARCHITECTURE.md#desk).
 * It does not throw and does not end the process.
 */
export async function runDesk(argv: readonly string[], host: Host): Promise<number> {
  let exitCode = 0;
  const handle: CommandHandler = <Args extends unknown[]>(
    work: (session: Session, ...args: Args) => Promise<unknown>,
  ) => {
    return async (...given: unknown[]) => {
      // Commander calls the function with the arguments, then the options, then the command.
      const args = given.slice(0, -1) as Args;
      const command = given.at(-1) as Command;
      const flags = command.optsWithGlobals<GlobalFlags>();
      const session = openSession(flags, host);
      try {
        const result = await work(session, ...args);
        if (typeof result === 'number') exitCode = result;
      } catch (error) {
        // An aborted call fails as if its service were down, so the desk reports the interruption instead.
        const failure = host.interrupted.aborted ? new DeskError('cancelled', 'Interrupted.') : error;
        exitCode = reportFailure(failure, host, session.print.json, session.calledAddresses, command.parent?.name());
      } finally {
        session.close();
      }
    };
  };
  try {
    await createProgram(handle, host).parseAsync(argv, { from: 'user' });
  } catch (error) {
    exitCode = reportFailure(error, host, argv.includes('--json'));
  }
  return exitCode;
}

const exitCodes = `
Exit codes: 0 done; 1 refused or failed, of several things one at least (a line
on standard error names the error's code); 2 wrong usage, nothing was tried; 130
ended by a second Ctrl-C.`;

function createProgram(handle: CommandHandler, host: Host): Command {
  const program = new DeskCommand('knowledge')
    .description(
      'The command line of the editors, moderators, support and operators of the Community Knowledge Service.',
    )
    .version(version, '--version', 'print the version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => host.stdout.write(text),
      writeErr: (text) => host.stderr.write(text),
      // Commander prints nothing here, because `reportFailure` prints the error.
      outputError: () => undefined,
      getOutHelpWidth: () => host.stdout.columns ?? 100,
      getErrHelpWidth: () => host.stderr.columns ?? 100,
    })
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions: frequentGlobalOptions, optionDescription });
  addGlobalOptions(program);
  addArticleCommands(program, handle);
  addHighlightCommands(program, handle);
  addObjectCommands(program, handle);
  addSynonymCommands(program, handle);
  addGlossCommands(program, handle);
  addSearchCommands(program, handle);
  addPromptCommands(program, handle);
  addReviewCommands(program, handle);
  addTokenCommands(program, handle);
  addAuthorizationCommands(program, handle);
  addPersonCommands(program, handle);
  addQuotaCommands(program, handle);
  addWatch(program, handle);
  addStatus(program, handle);
  addCompletion(program, handle);
  program.addHelpText('after', exitCodes);
  addExamples(program, 'status', 'article list --site org', 'review next', 'review approve --help', 'completion bash');
  return program;
}

/** Describes an option as commander does, but without empty defaults and with a mark for required options. */
function optionDescription(option: Option): string {
  const description = new Help().optionDescription(option).replace(/ \(default: (?:""|\[\])\)$/, '');
  return option.mandatory ? `${description} (required)` : description;
}
