import { createRequire } from 'node:module';
import { type Command, CommanderError, Help, type Option } from 'commander';
import { DeskError, UsageError } from './base/desk-error.js';
import type { Host } from './base/host.js';
import type { GlobalFlags } from './base/settings.js';
import type { AddCommands, CommandHandler } from './terminal/command-table.js';
import { addExamples, addGlobalOptions, DeskCommand, frequentGlobalOptions } from './terminal/desk-command.js';

const { version } = createRequire(import.meta.url)('../package.json') as { version: string };

/**
 * Runs one command line and returns its exit code: 0 done, 1 refused or failed, 2 wrong usage.
 * It does not throw and does not end the process.
 */
export async function runDesk(argv: readonly string[], host: Host): Promise<number> {
  let exitCode = 0;
  const handle: CommandHandler =
    (work) =>
    async (...given) => {
      // Commander calls the function with the arguments, then the options, then the command.
      const command = given.at(-1) as Command;
      requireWords(command);
      const { openSession } = await import('./base/session.js');
      const session = openSession(command.optsWithGlobals<GlobalFlags>(), host);
      try {
        const result = await work(session);
        if (typeof result === 'number') exitCode = result;
      } catch (error) {
        // An aborted call fails as if its service were down, so the desk reports the interruption instead.
        const { reportFailure } = await import('./base/failure.js');
        const failure = host.interrupted.aborted ? new DeskError('cancelled', 'Interrupted.') : error;
        exitCode = reportFailure(failure, host, session.print.json, session.calledAddresses, command.parent);
      } finally {
        session.close();
      }
    };
  try {
    const program = await createProgram(argv, handle, host);
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    // Commander has already printed the help. The code is 0 if the user asked for help, or 2 if the command was missing.
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    if (error instanceof CommanderError && error.code === 'commander.help') return 2;
    const { reportFailure } = await import('./base/failure.js');
    exitCode = reportFailure(error, host, argv.includes('--json'));
  }
  return exitCode;
}

/** Refuses an empty text for a required option, such as the reason of an export, which the record would lack. */
function requireWords(command: Command) {
  const empty = command.options.find((each) => {
    const value: unknown = command.getOptionValue(each.attributeName());
    return each.mandatory && typeof value === 'string' && value.trim() === '';
  });
  if (empty !== undefined) throw new UsageError(`${empty.flags} must not be empty.`);
}

const exitCodes = `
Exit codes: 0 done; 1 refused or failed, of several things one at least (a line
on standard error names the error's code); 2 wrong usage, nothing was tried; 130
ended by a second Ctrl-C.`;

/** Makes the program. It loads only the commands that the command line names, since loading all takes longer than most commands. */
async function createProgram(argv: readonly string[], handle: CommandHandler, host: Host): Promise<Command> {
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
    .configureHelp({
      showGlobalOptions: true,
      visibleGlobalOptions: frequentGlobalOptions,
      optionDescription,
      subcommandTerm,
    });
  addGlobalOptions(program);
  for (const [name, [description, load]] of Object.entries(topCommands)) {
    const command = program.command(name).description(description);
    if (!isNamed(name, argv)) continue;
    const { [name]: add } = (await load()) as Readonly<Record<string, AddCommands>>;
    add?.(command, handle);
  }
  program.addHelpText('after', exitCodes);
  addExamples(program, 'status', 'article list --site org', 'review next', 'review approve --help', 'completion bash');
  return program;
}

// A completion script contains every command. A word that only looks like a command's name loads more than needed.
function isNamed(name: string, argv: readonly string[]) {
  return argv.includes(name) || argv.includes('completion');
}

/** Shows a command in a list of commands as commander does, also if its code is not loaded. */
function subcommandTerm(command: Command) {
  const usage = command.parent?.parent === null ? topCommands[command.name()]?.[2] : undefined;
  return usage ? `${command.name()} ${usage}` : new Help().subcommandTerm(command);
}

/** Describes an option as commander does, but without empty defaults and with a mark for required options. */
function optionDescription(option: Option) {
  const description = new Help().optionDescription(option).replace(/ \(default: (?:""|\[\])\)$/, '');
  return option.mandatory ? `${description} (required)` : description;
}

/** A command that stands directly after `knowledge`: a group such as `article`, or a command such as `status`. */
type TopCommand = readonly [
  description: string,
  /** Loads the module that exports the command by its name. */
  load: () => Promise<object>,
  /** What follows the name in the help of `knowledge`; nothing if absent. */
  usage?: string,
];

/** All commands, in the order of the help. Their code is loaded only for a command line that names them. */
const topCommands: Readonly<Record<string, TopCommand>> = {
  article: [
    'articles: import, list, show, history, restore, next, publish, archive, delete, export',
    () => import('./articles/cli.js'),
  ],
  highlight: ["the articles that a site's editors put first", () => import('./highlights/cli.js')],
  object: [
    "the community catalog: what it shows, and the editors' own knowledge objects",
    () => import('./objects/cli.js'),
  ],
  synonym: ['words that mean the same to search: list, put, delete, import', () => import('./words/cli.js')],
  gloss: [
    'English titles and summaries of texts in other languages, which search finds and shows',
    () => import('./words/cli.js'),
  ],
  search: ['find published texts, and see what readers search for', () => import('./search/cli.js')],
  prompt: ['community prompts; at most one is active on a site', () => import('./prompts/cli.js')],
  review: ['contributions: read them, decide on them, publish them', () => import('./review/cli.js')],
  reason: ['reasons that moderators choose: list, put, delete, import', () => import('./reasons/cli.js')],
  token: ['the tokens that agents hold for a verified e-mail', () => import('./people/cli-access.js')],
  authorization: ['requests of agents to act for humans, and the decisions', () => import('./people/cli-access.js')],
  person: ['the data of a person: show it, export it, ask for its erasure', () => import('./people/cli.js')],
  domain: [
    'mail domains: allow, limit or refuse requests for access to their mailboxes',
    () => import('./domains/cli.js'),
  ],
  erasure: ['erasures of people, which a second staff member confirms', () => import('./people/cli.js')],
  mail: [
    'mails that failed: list them with the words of the mail server, send them again',
    () => import('./people/cli-mail.js'),
  ],
  quota: ['allowances: what a reader or writer has left today', () => import('./limits/cli.js')],
  desk: ['the web desk: sign in to a local one, who works there, who is signed in', () => import('./sign-in/cli.js')],
  watch: [
    'print every change of articles, highlights, objects, contributions, prompts, authorizations and tokens, one per line ' +
      '(JSON with --json). With --after it continues without loss or repetition. Ctrl-C ends it',
    () => import('./record/cli.js'),
    '[options]',
  ],
  status: ['show whether the services are up; exit code 1 if one is down', () => import('./status/cli.js')],
  completion: [
    'print the script that completes commands and options in your shell',
    () => import('./terminal/completion.js'),
    '<shell>',
  ],
};
