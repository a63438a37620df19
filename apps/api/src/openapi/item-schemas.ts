import {
  BlockSchema,
  ChangeMessageBody,
  ChangeNoteBody,
  ChangeTodoBody,
  ConvertMessageBody,
  CreateMessageBody,
  CreateNoteBody,
  CreateTodoBody,
  HubPage,
  Item,
  ItemOrigin,
  Message,
  Note,
  PrioritySchema,
  Reaction,
  StreamPage,
  Todo,
  WriteMessageBody,
  WriteTodoBody,
} from '@hub/contract';
import { ListItemObject } from '@hub/contract/blocks/data-schemas';

/** The named schemas of messages, notes and to-dos in the OpenAPI document. */
export const itemSchemas = {
  // The public API
  CreateMessage: CreateMessageBody,
  CreateNote: CreateNoteBody,
  CreateTodo: CreateTodoBody,
  Priority: PrioritySchema,
  Block: BlockSchema,
  ListItem: ListItemObject,

  // Items
  Item,
  Message,
  Note,
  Todo,
  Author: Message.properties.author,
  Reaction,
  TodoStatus: Todo.properties.status,
  MessagePage: HubPage(Message),
  NotePage: HubPage(Note),
  TodoPage: HubPage(Todo),
  StreamPage,
  ItemOrigin,
  WriteMessage: WriteMessageBody,
  ChangeMessage: ChangeMessageBody,
  ConvertMessage: ConvertMessageBody,
  ChangeNote: ChangeNoteBody,
  WriteTodo: WriteTodoBody,
  ChangeTodo: ChangeTodoBody,
};
