// @ts-check
// As much of VS Code's API as the extension uses, for require('vscode') in tests. reset() before
// each test; `state` holds what the extension did and what it is answered.
'use strict';

const fs = require('node:fs/promises');
const Module = require('node:module');
const path = require('node:path');

class Position {
  constructor(/** @type {number} */ line, /** @type {number} */ character) {
    if (!(line >= 0 && character >= 0)) throw new Error(`position ${line}:${character}`);
    Object.assign(this, {line, character});
  }
}

class Range {
  constructor(/** @type {number[]} */...[line, character, endLine, endCharacter]) {
    this.start = new Position(line, character);
    this.end = new Position(endLine, endCharacter);
  }
}

class Location {
  constructor(/** @type {any} */ uri, /** @type {any} */ place) {
    this.uri = uri;
    this.range = place instanceof Position ? {start: place, end: place} : place;
  }
}

class Uri {
  constructor(/** @type {string} */ scheme, /** @type {string} */ rest) {
    this.scheme = scheme;
    this.fsPath = rest;
  }
  static file(/** @type {string} */ file) {
    return new Uri('file', file);
  }
  static parse(/** @type {string} */ text) {
    const [, scheme, rest] = /** @type {RegExpExecArray} */ (/^([a-z]+):(.*)$/s.exec(text));
    return new Uri(scheme, rest);
  }
  toString() {
    return `${this.scheme}:${this.fsPath}`;
  }
}

class Diagnostic {
  constructor(
      /** @type {any} */ range, /** @type {string} */ message, /** @type {number} */ severity) {
    Object.assign(this, {range, message, severity});
  }
}

class DiagnosticRelatedInformation {
  constructor(/** @type {any} */ location, /** @type {string} */ message) {
    Object.assign(this, {location, message});
  }
}

class EventEmitter {
  constructor() {
    /** @type {((value: any) => void)[]} */
    this.listeners = [];
    this.event = (/** @type {(value: any) => void} */ listener) => this.listeners.push(listener);
  }
  fire(/** @type {any} */ value) {
    for (const listener of this.listeners) listener(value);
  }
}

class Task {
  constructor(/** @type {any[]} */...[definition, scope, name, source, execution]) {
    Object.assign(this, {definition, scope, name, source, execution});
  }
}

class CustomExecution {
  constructor(/** @type {(definition: any) => Promise<any>} */ callback) {
    this.callback = callback;
  }
}

/** @type {any} */
const state = {};

function reset() {
  Object.assign(state, {
    problems: new Map(),  // by file
    channel: '',
    errors: [],    // messages shown
    executed: [],  // commands, with their arguments
    commands: {},
    provider: undefined,
    settings: {},
    editor: undefined,  // the active one
    folders: [],        // of the workspace
    picked: undefined,  // file that the user picks
    chosenButton: undefined,
    cancels: false,  // the user cancels what takes time
  });
}

const vscode = {
  CustomExecution,
  Diagnostic,
  DiagnosticRelatedInformation,
  EventEmitter,
  Location,
  Position,
  Range,
  Task,
  Uri,
  DiagnosticSeverity: {Error: 0, Warning: 1},
  FileType: {File: 1, Directory: 2},
  ProgressLocation: {Notification: 15},
  TaskScope: {Workspace: 2},
  commands: {
    registerCommand: (/** @type {string} */ name, /** @type {any} */ action) => {
      state.commands[name] = action;
    },
    executeCommand: async (/** @type {any[]} */...call) => void state.executed.push(call),
  },
  languages: {
    createDiagnosticCollection: () => ({
      clear: () => state.problems.clear(),
      get: (/** @type {Uri} */ uri) => state.problems.get(uri.fsPath),
      set: (/** @type {Uri} */ uri, /** @type {any} */ list) =>
          state.problems.set(uri.fsPath, list),
    }),
  },
  tasks: {
    registerTaskProvider: (/** @type {string} */ _, /** @type {any} */ provider) => {
      state.provider = provider;
    },
  },
  window: {
    get activeTextEditor() {
      return state.editor;
    },
    createOutputChannel: () => ({
      append: (/** @type {string} */ text) => void (state.channel += text),
      clear: () => void (state.channel = ''),
      show: () => {},
    }),
    showErrorMessage: async (/** @type {string[]} */...[message, ...buttons]) => {
      state.errors.push(message);
      return buttons.find((button) => button === state.chosenButton);
    },
    showOpenDialog: async () => state.picked && [Uri.file(state.picked)],
    withProgress: (/** @type {any} */ _, /** @type {any} */ work) => {
      const cancel = new EventEmitter();
      const done = work({}, {
        get isCancellationRequested() {
          return state.cancels;
        },
        onCancellationRequested: cancel.event,
      });
      if (state.cancels) cancel.fire(undefined);
      return done;
    },
  },
  workspace: {
    get workspaceFolders() {
      return state.folders.map((/** @type {string} */ folder) => ({uri: Uri.file(folder)}));
    },
    fs: {
      stat: async (/** @type {Uri} */ uri) =>
          ({type: (await fs.stat(uri.fsPath)).isFile() ? 1 : 2}),
    },
    getConfiguration: () => ({get: (/** @type {string} */ name) => state.settings[name]}),
    getWorkspaceFolder: (/** @type {Uri} */ uri) => vscode.workspace.workspaceFolders.find(
        (/** @type {any} */ folder) => uri.fsPath.startsWith(folder.uri.fsPath + path.sep)),
    // Like VS Code: only text, with one kind of line end.
    openTextDocument: async (/** @type {Uri} */ uri) => {
      const bytes = await fs.readFile(uri.fsPath);
      if (bytes.includes(0)) throw new Error('cannot open: binary');
      const text = bytes.toString('utf8').replace(/\r\n|\r|\n/g, '\n');
      return {uri, getText: () => text};
    },
  },
};

reset();

const load = /** @type {any} */ (Module)._load;
/** @type {any} */ (Module)._load = (/** @type {any[]} */...[request, ...rest]) =>
    request === 'vscode' ? vscode : load(request, ...rest);

module.exports = {
  reset,
  state,
  vscode
};
