import { Command, type HelpContext } from 'commander';

/** A command that shows no help of its group where an unknown command was named with `--help`. */
export class DeskCommand extends Command {
  override createCommand(name?: string): DeskCommand {
    return new DeskCommand(name);
  }

  override outputHelp(context?: HelpContext | ((text: string) => string)): void {
    const [name] = this.args;
    // Without `--help` it is refused as an unknown one.
    if (this.commands.length > 0 && name !== undefined && this.isUnknown(name)) this.parse([name], { from: 'user' });
    super.outputHelp(context as HelpContext);
  }

  private isUnknown(name: string): boolean {
    const known = this.commands.some((each) => each.name() === name || each.aliases().includes(name));
    return !known && name !== 'help' && !name.startsWith('-');
  }
}
