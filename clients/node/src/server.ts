// A talus_server as a child process, for tests, notebooks and batch scripts. The child never outlives this process: an
// exit, an uncaught error or a signal kills it, and after a SIGKILL, which leaves nobody to act, it drains because its
// standard input has ended.
import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { createInterface } from "node:readline";

import { type Client, connect } from "./client";
import type { ConnectOptions } from "./connection";

/** How to launch. */
export interface LaunchOptions {
  /** The binary. Unset: findServer(). */
  server?: string;
  /** Addresses to listen on [`127.0.0.1:0`, any free port]. */
  listen?: string | string[];
  /** Where snapshots are kept. Unset: a fresh directory, removed by stop() and kill(). */
  dataDir?: string;
  /** Cores lent to steps [all]. */
  workers?: number;
  /** Further options of talus_server. */
  args?: string[];
  /** Environment [that of this process without TALUS_ variables, which are options for some other server]. */
  env?: NodeJS.ProcessEnv;
  /** Fail when the server does not listen within so long [30 000]. */
  startTimeoutMs?: number;
  /** Where its logs go [`ignore`: the last of them appear in the error when it does not start]. */
  logs?: "ignore" | "inherit";
}

/** How a server ended: one of the two is set. */
export interface ExitStatus {
  code: number | null;
  signal: NodeJS.Signals | null;
}

const KEPT_LOG_BYTES = 4096;
const FATAL_SIGNALS: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];
const running = new Set<Server>();

/** Starts a server and resolves once it listens on every address. */
export async function launch(options: LaunchOptions = {}): Promise<Server> {
  const listen = [options.listen ?? "127.0.0.1:0"].flat();
  const ownDataDir = options.dataDir === undefined ? mkdtempSync(join(tmpdir(), "talus-")) : undefined;
  const args = ["--end-with-stdin", ...listen.flatMap((address) => ["--listen", address])];
  args.push("--data-dir", options.dataDir ?? ownDataDir!);
  if (options.workers !== undefined) args.push("--workers", String(options.workers));
  args.push(...(options.args ?? []));
  const server = new Server(options.server ?? findServer(), args, options, ownDataDir);
  try {
    await server.listening(listen.length, options.startTimeoutMs ?? 30_000);
    return server;
  } catch (error) {
    await server.kill();
    throw error;
  }
}

/** A running server. `launch` makes it. */
export class Server {
  /** The addresses it listens on, with real ports. */
  readonly addresses: string[] = [];
  /** Resolves when the process has ended. */
  readonly exited: Promise<ExitStatus>;
  private readonly process: ChildProcess;
  private failure: Error | undefined;
  private exitStatus: ExitStatus | undefined;
  private logs = "";
  private wake: () => void = () => undefined;
  private readonly ownDataDir: string | undefined;

  constructor(binary: string, args: string[], options: LaunchOptions, ownDataDir: string | undefined) {
    this.ownDataDir = ownDataDir;
    this.process = spawn(binary, args, { env: options.env ?? ownEnvironment(), stdio: "pipe" });
    running.add(this);
    watchOwnEnd();
    this.exited = new Promise((settle) => {
      const end = (status: ExitStatus) => {
        this.exitStatus = status;
        running.delete(this);
        this.removeOwnData();
        settle(status);
        this.wake();
      };
      this.process.once("exit", (code, signal) => end({ code, signal }));
      this.process.once("error", (error) => {
        this.failure = new Error(`${binary} did not start: ${error.message}`, { cause: error });
        if (this.process.pid === undefined) end({ code: null, signal: null });
      });
    });
    createInterface({ input: this.process.stdout! }).on("line", (line) => {
      if (line.startsWith("listening on ")) this.addresses.push(line.slice("listening on ".length));
      this.wake();
    });
    this.process.stderr!.on("data", (chunk: Buffer) => {
      if (options.logs === "inherit") process.stderr.write(chunk);
      this.logs = (this.logs + chunk.toString()).slice(-KEPT_LOG_BYTES);
    });
  }

  /** The first address. */
  get address(): string {
    return this.addresses[0]!;
  }

  /** The process id. */
  get pid(): number | undefined {
    return this.process.pid;
  }

  /** The end of what it logged. */
  get recentLogs(): string {
    return this.logs;
  }

  /** A new connection to it. */
  connect(options?: ConnectOptions): Client {
    return connect(this.address, options);
  }

  /** Asks it to drain and end; kills it when that takes longer than timeoutMs [its own limit of 10 s, and 5 s more]. */
  async stop(timeoutMs = 15_000): Promise<ExitStatus> {
    this.process.kill("SIGTERM");
    const timer = setTimeout(() => this.process.kill("SIGKILL"), timeoutMs);
    try {
      return await this.exited;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends it at once. */
  kill(): Promise<ExitStatus> {
    this.process.kill("SIGKILL");
    return this.exited;
  }

  /** Ends it at once, with what is its own, where nobody can wait for that. */
  abandon(): void {
    this.process.kill("SIGKILL");
    this.removeOwnData();
  }

  /** Resolves once it listens on so many addresses. */
  async listening(addressCount: number, timeoutMs: number): Promise<void> {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      this.wake();
    }, timeoutMs);
    try {
      while (this.addresses.length < addressCount) {
        if (this.failure !== undefined) throw this.failure;
        if (this.exitStatus !== undefined) throw new Error(`talus_server ended at once: ${this.describeEnd()}`);
        if (late) throw new Error(`talus_server did not listen within ${timeoutMs} ms\n${this.logs}`);
        await new Promise<void>((proceed) => (this.wake = proceed));
      }
    } finally {
      clearTimeout(timer);
    }
  }

  private removeOwnData(): void {
    if (this.ownDataDir !== undefined) rmSync(this.ownDataDir, { recursive: true, force: true });
  }

  private describeEnd(): string {
    const { code, signal } = this.exitStatus!;
    return `${signal ?? `exit code ${code}`}\n${this.logs}`;
  }
}

/** The server binary: $TALUS_SERVER, else the one built beside this package, else the one on $PATH. */
export function findServer(): string {
  const named = process.env["TALUS_SERVER"];
  if (named !== undefined && named !== "") return named;
  const besides = resolve(__dirname, "../../bin/talus_server");
  const onPath = (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, "talus_server"));
  const found = [besides, ...onPath].find(isExecutable);
  if (found === undefined) {
    throw new Error(`no talus_server: set TALUS_SERVER or PATH, or build ${besides}`);
  }
  return found;
}

function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("TALUS_")));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

let watching = false;

// Installed with the first launch. A signal handler of ours must not keep alive a process that the signal would have
// ended: when nobody else listens, the signal is raised again with the default action.
function watchOwnEnd(): void {
  if (watching) return;
  watching = true;
  process.on("exit", abandonRunning);
  for (const signal of FATAL_SIGNALS) {
    const handler = () => {
      if (process.listenerCount(signal) > 1) return;
      abandonRunning();
      process.removeListener(signal, handler);
      process.kill(process.pid, signal);
    };
    process.on(signal, handler);
  }
}

function abandonRunning(): void {
  for (const server of running) server.abandon();
}
