// The bare handlers of examples/bare.rs: the least that a request can cost on this machine.
import { spawn } from 'node:child_process';
import { freePort } from '../../end2end/support/service.js';

/** Starts them. `bytes`: the size of an answer. */
export async function bareHandlers(program, bytes = 0) {
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn(program, [address, String(bytes)], { stdio: 'inherit' });
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the bare handlers ended with ${child.exitCode}`);
    if (await fetch(`http://${address}/`).catch(() => undefined)) {
      return { url: `http://${address}`, pid: child.pid, stop: () => child.kill() };
    }
    await new Promise((wake) => {
      setTimeout(wake, 50);
    });
  }
}
