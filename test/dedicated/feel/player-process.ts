import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Answer, Order } from './messages.ts';

const PROGRAM = fileURLToPath(new URL('./player-main.ts', import.meta.url));

/** A player in a process of its own, as the tool sees it. */
export class PlayerProcess {
  readonly #child: ChildProcess;
  #isStopped = false;

  private constructor() {
    this.#child = fork(PROGRAM, {
      execArgv: ['--import', 'tsx'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
  }

  /** Begins a process. @throws Error if it ends before it is ready. */
  static async begin(): Promise<PlayerProcess> {
    const player = new PlayerProcess();
    await player.#answer('ready');
    return player;
  }

  /**
   * Asks for one thing after the other.
   * @param kind of the answer.
   * @throws Error with one sentence if there is another answer, or none.
   */
  ask<Kind extends Answer['kind']>(
    order: Order,
    kind: Kind,
  ): Promise<Extract<Answer, { readonly kind: Kind }>> {
    const answer = this.#answer(kind);
    this.#child.send(order);
    return answer;
  }

  stop(): void {
    this.#isStopped = true;
    this.#child.kill();
  }

  #answer<Kind extends Answer['kind']>(kind: Kind): Promise<Extract<Answer, { readonly kind: Kind }>> {
    const child = this.#child;
    return new Promise((resolve, reject) => {
      const end = (): void => {
        child.off('message', take);
        child.off('exit', died);
      };
      const take = (answer: Answer): void => {
        end();
        if (isOf(answer, kind)) resolve(answer);
        else reject(new Error(`A player was to answer "${kind}", and answered "${answer.kind}".`));
      };
      const died = (): void => {
        end();
        if (!this.#isStopped) reject(new Error('The process of a player has died.'));
      };
      child.on('message', take);
      child.on('exit', died);
    });
  }
}

function isOf<Kind extends Answer['kind']>(
  answer: Answer,
  kind: Kind,
): answer is Extract<Answer, { readonly kind: Kind }> {
  return answer.kind === kind;
}
