-- {"contents":{"hubs":{"items":[{"id":"hub_01M8MBJPBPF3S37E6QPHHPP1PE","name":"Releases","topic":"What we ship","conversationId":"cnv_01M8MBJPBQ63B2582C0GWJX3K7","notesBucketId":"bkt_01M8MBJPBQ63B2582C0GWJX3K8","todosBucketId":"bkt_01M8MBJPBQ63B2582C0GWJX3K9","createdAt":"2026-11-29T19:12:45.431Z","retentionDays":36500,"seq":22,"isMember":true,"isMuted":true,"isFavorite":true,"pinnedIds":["msg_01M8MBJPYMC2MJ426MRK8YA5FT"],"readSeq":3,"readSeqs":{"message":3,"note":3,"todo":3},"readVersion":0,"unreadCount":2,"unreadCounts":{"message":0,"note":1,"todo":1},"unreadMentionIds":["msg_01M8MBJQ03199YV17KAK0SXQ67"]}]},"exported":{"hub":{"id":"hub_01M8MBJPBPF3S37E6QPHHPP1PE","name":"Releases","topic":"What we ship","conversationId":"cnv_01M8MBJPBQ63B2582C0GWJX3K7","notesBucketId":"bkt_01M8MBJPBQ63B2582C0GWJX3K8","todosBucketId":"bkt_01M8MBJPBQ63B2582C0GWJX3K9","createdAt":"2026-11-29T19:12:45.431Z","retentionDays":36500,"seq":22,"pinnedIds":["msg_01M8MBJPYMC2MJ426MRK8YA5FT"]},"members":[{"id":"usr_01M8MBJPH6DMJM5FWW9P46Z33D","name":"Bob Kahn","email":"bob@example.org","role":"member","joinedAt":"2026-11-29T19:12:45.690Z"},{"id":"usr_01M8MBJPF0AWFS950PF44HQWEJ","name":"Ada Lovelace","email":"ada@example.org","role":"owner","joinedAt":"2026-11-29T19:12:45.673Z"}],"messages":[{"kind":"message","id":"msg_01M8MBJPTG2KTV3JSWT9XCC5CF","hubId":"hub_01M8MBJPBPF3S37E6QPHHPP1PE","seq":3,"createdAt":"2026-11-29T19:12:45.904Z","author":{"id":"bot_01M8MBJP5K59KD37AECN2H4H0V","kind":"bot","name":"Bot"},"key":{"id":"key_01M8MBJPSX0WHVPKSNT4DP1N2W","name":"ci"},"version":1,"mentions":[],"blocks":[{"type":"header","data":{"text":"Über <b>1</b> 🚀","level":2}}],"replyCount":0,"reactions":[]},{"kind":"message","id":"msg_01M8MBJPYMC2MJ426MRK8YA5FT","hubId":"hub_01M8MBJPBPF3S37E6QPHHPP1PE","seq":8,"createdAt":"2026-11-29T19:12:46.036Z","author":{"id":"usr_01M8MBJPF0AWFS950PF44HQWEJ","kind":"user","name":"Ada Lovelace"},"version":1,"mentions":["usr_01M8MBJPH6DMJM5FWW9P46Z33D"],"files":[{"id":"file_01M8MBJPXY5373JC7XJPV75AS6","name":"build.log","size":5,"contentType":"application/octet-stream"}],"text":"Ready, @Bob Kahn?","replyCount":1,"lastReplyAt":"2026-11-29T19:12:46.083Z","repliers":["usr_01M8MBJPH6DMJM5FWW9P46Z33D"],"reactions":[{"emoji":"👍","userIds":["usr_01M8MBJPH6DMJM5FWW9P46Z33D"]}]},{"kind":"message","id":"msg_01M8MBJQ03199YV17KAK0SXQ67","hubId":"hub_01M8MBJPBPF3S37E6QPHHPP1PE","seq":9,"createdAt":"2026-11-29T19:12:46.083Z","author":{"id":"usr_01M8MBJPH6DMJM5FWW9P46Z33D","kind":"user","name":"Bob Kahn"},"version":1,"mentions":[],"text":"Yes","parentId":"msg_01M8MBJPYMC2MJ426MRK8YA5FT","replyCount":0,"reactions":[],"conversion":{"kind":"todo","id":"todo_01M8MBJQ289WKHF3NMW3DWM6YE"}},{"kind":"message","id":"msg_01M8MBJQ332YM5JWNWYNER0YSF","hubId":"hub_01M8MBJPBPF3S37E6QPHHPP1PE","seq":16,"createdAt":"2026-11-29T19:12:46.179Z","author":{"id":"usr_01M8MBJPF0AWFS950PF44HQWEJ","kind":"user","name":"Ada Lovelace"},"version":1,"mentions":[],"text":"Deploy?","replyCount":0,"reactions":[],"question":{"choices":["yes","no"],"expiresAt":"2026-11-29T19:22:46.179Z","state":"answered","answer":{"choice":"yes","by":{"id":"usr_01M8MBJPH6DMJM5FWW9P46Z33D","name":"Bob Kahn"},"at":"2026-11-29T19:12:46.193Z"}}}],"notes":[{"kind":"note","id":"note_01M8MBJPVP68RZ9P6E0A6SHPQK","hubId":"hub_01M8MBJPBPF3S37E6QPHHPP1PE","seq":4,"createdAt":"2026-11-29T19:12:45.942Z","author":{"id":"bot_01M8MBJP5K59KD37AECN2H4H0V","kind":"bot","name":"Bot"},"key":{"id":"key_01M8MBJPSX0WHVPKSNT4DP1N2W","name":"ci"},"version":1,"mentions":[],"title":"Changes","content":"It's *faster*","replyCount":0},{"kind":"note","id":"note_01M8MBJQ4HB5KPTAWF5X6V8RSX","hubId":"hub_01M8MBJPBPF3S37E6QPHHPP1PE","seq":20,"createdAt":"2026-11-29T19:12:46.225Z","author":{"id":"usr_01M8MBJPF0AWFS950PF44HQWEJ","kind":"user","name":"Ada Lovelace"},"version":2,"editedAt":"2026-11-29T19:12:46.236Z","editedBy":{"kind":"user","id":"usr_01M8MBJPH6DMJM5FWW9P46Z33D","name":"Bob Kahn"},"mentions":[],"content":"Final","replyCount":0}],"todos":[{"kind":"todo","id":"todo_01M8MBJPVZFDRYJHAS7ADG1EKF","hubId":"hub_01M8MBJPBPF3S37E6QPHHPP1PE","seq":5,"createdAt":"2026-11-29T19:12:45.951Z","author":{"id":"bot_01M8MBJP5K59KD37AECN2H4H0V","kind":"bot","name":"Bot"},"key":{"id":"key_01M8MBJPSX0WHVPKSNT4DP1N2W","name":"ci"},"version":1,"mentions":[],"title":"Renew","dueDate":"2026-12-01T09:00:00.000Z","priority":"HIGH","status":"open","replyCount":0},{"kind":"todo","id":"todo_01M8MBJQ289WKHF3NMW3DWM6YE","hubId":"hub_01M8MBJPBPF3S37E6QPHHPP1PE","seq":13,"createdAt":"2026-11-29T19:12:46.152Z","author":{"id":"usr_01M8MBJPF0AWFS950PF44HQWEJ","kind":"user","name":"Ada Lovelace"},"version":2,"mentions":[],"title":"Yes","status":"done","assignee":{"id":"usr_01M8MBJPH6DMJM5FWW9P46Z33D","name":"Bob Kahn"},"finishedAt":"2026-11-29T19:12:46.167Z","finishedBy":{"id":"usr_01M8MBJPH6DMJM5FWW9P46Z33D","name":"Bob Kahn"},"replyCount":0,"sourceId":"msg_01M8MBJQ03199YV17KAK0SXQ67"}]},"text":"built","users":{"items":[{"id":"usr_01M8MBJPJXASMD38M6J1571EPT","name":"Eve","email":"eve@example.org","role":"member","createdAt":"2026-11-29T19:12:45.661Z","disabledAt":"2026-11-29T19:12:46.446Z"},{"id":"usr_01M8MBJPH6DMJM5FWW9P46Z33D","name":"Bob Kahn","email":"bob@example.org","role":"member","createdAt":"2026-11-29T19:12:45.606Z"},{"id":"usr_01M8MBJPF0AWFS950PF44HQWEJ","name":"Ada Lovelace","email":"ada@example.org","role":"owner","createdAt":"2026-11-29T19:12:45.536Z"}]},"keys":{"items":[{"id":"key_01M8MBJPXC2Q3BQ9J6C4T188KP","hubId":"hub_01M8MBJPBPF3S37E6QPHHPP1PE","hubName":"Releases","isHubDeleted":false,"name":"spam","hint":"hub_live_…WW56","scopes":["messages:create","notes:create","todos:create"],"state":"active","generation":2,"predecessorId":"key_01M8MBJPT26YPBA1CS53BQXF6P","createdAt":"2026-11-29T19:12:45.994Z","createdBy":{"kind":"local","name":"local admin"},"isIssuerGone":false,"requestCount":0,"postCount":0,"unusedScopes":["messages:create","notes:create","todos:create"]},{"id":"key_01M8MBJPT26YPBA1CS53BQXF6P","hubId":"hub_01M8MBJPBPF3S37E6QPHHPP1PE","hubName":"Releases","isHubDeleted":false,"name":"spam","hint":"hub_live_…DumD","scopes":["messages:create","notes:create","todos:create"],"state":"revoked","generation":1,"successorId":"key_01M8MBJPXC2Q3BQ9J6C4T188KP","createdAt":"2026-11-29T19:12:45.889Z","createdBy":{"kind":"local","name":"local admin"},"isIssuerGone":false,"overlapEndsAt":"2026-11-30T19:12:45.994Z","revokedAt":"2026-11-29T19:12:46.005Z","lastUsedAddress":"127.0.0.1","requestCount":1,"postCount":1,"unusedScopes":["notes:create","todos:create"]},{"id":"key_01M8MBJPSX0WHVPKSNT4DP1N2W","hubId":"hub_01M8MBJPBPF3S37E6QPHHPP1PE","hubName":"Releases","isHubDeleted":false,"name":"ci","description":"Releases","link":"https://ci.example.org","hint":"hub_live_…yf6P","scopes":["messages:create","notes:create","todos:create"],"state":"active","generation":1,"createdAt":"2026-11-29T19:12:45.884Z","createdBy":{"kind":"local","name":"local admin"},"isIssuerGone":false,"lastUsedAddress":"127.0.0.1","requestCount":3,"postCount":3,"unusedScopes":[]}]},"audit":["hub.deleted hub_01M8MBJPC06G8Q419AX0MQ043J","user.invited lnk_01M8MBJQBTE1WKJC411NCABEGT","user.disabled usr_01M8MBJPJXASMD38M6J1571EPT","factor.added fac_01M8MBJQAZ5TK0RX80H1S0VNER","session.started ses_01M8MBJQA64RETYADXBXZ6JX1N","hub.changed hub_01M8MBJPBPF3S37E6QPHHPP1PE","item.deleted msg_01M8MBJQ3VF6ZG938S90GJ4FFY","key.revoked key_01M8MBJPT26YPBA1CS53BQXF6P","key.rotated key_01M8MBJPT26YPBA1CS53BQXF6P","posts.removed key_01M8MBJPT26YPBA1CS53BQXF6P","key.issued key_01M8MBJPT26YPBA1CS53BQXF6P","key.issued key_01M8MBJPSX0WHVPKSNT4DP1N2W","token.created pat_01M8MBJPSM22TDFYD5H2TMDVNA","session.started ses_01M8MBJPS61NJ8YK433VH82CVB","session.started ses_01M8MBJPQ8DE74CG2791Q7QB4G","member.added usr_01M8MBJPH6DMJM5FWW9P46Z33D","member.added usr_01M8MBJPF0AWFS950PF44HQWEJ","user.created usr_01M8MBJPJXASMD38M6J1571EPT","user.created usr_01M8MBJPH6DMJM5FWW9P46Z33D","user.created usr_01M8MBJPF0AWFS950PF44HQWEJ","hub.created hub_01M8MBJPC06G8Q419AX0MQ043J","hub.created hub_01M8MBJPBPF3S37E6QPHHPP1PE","link.created lnk_01M8MBJPAF2F0AY8NJ708EC3VB"]},"files":{}}
CREATE TABLE hub_migrations (number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, hash text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now());
INSERT INTO api_keys (id,hub_id,name,token_hash,last_four,scopes,generation,predecessor_id,created_at,created_by_kind,created_by_name,request_count,post_count,used_kinds) VALUES
('key_01M8MBJPXC2Q3BQ9J6C4T188KP','hub_01M8MBJPBPF3S37E6QPHHPP1PE','spam',E'\\x9d0b0a40b2301b180518f6a167f01f46af899ce516697389cfdba2fbdd2b5f9b','WW56','messages:create notes:create todos:create','2','key_01M8MBJPT26YPBA1CS53BQXF6P','1795979565994','local','local admin','0','0','0');
INSERT INTO api_keys (id,hub_id,name,description,link,token_hash,last_four,scopes,generation,created_at,created_by_kind,created_by_name,last_used_at,last_used_address,request_count,post_count,used_kinds) VALUES
('key_01M8MBJPSX0WHVPKSNT4DP1N2W','hub_01M8MBJPBPF3S37E6QPHHPP1PE','ci','Releases','https://ci.example.org',E'\\x80cb3a90340f7d03915749c319436326b6d60f742f1caeea7287bb418bac05c9','yf6P','messages:create notes:create todos:create','1','1795979565884','local','local admin','1795979565948','127.0.0.1','3','3','7');
INSERT INTO api_keys (id,hub_id,name,token_hash,last_four,scopes,generation,successor_id,created_at,created_by_kind,created_by_name,overlap_ends_at,revoked_at,last_used_at,last_used_address,request_count,post_count,used_kinds) VALUES
('key_01M8MBJPT26YPBA1CS53BQXF6P','hub_01M8MBJPBPF3S37E6QPHHPP1PE','spam',E'\\x108a1133713641fad9c4cbfd73b1a4087f342176dd592a557269c2e1b674fba9','DumD','messages:create notes:create todos:create','1','key_01M8MBJPXC2Q3BQ9J6C4T188KP','1795979565889','local','local admin','1796065965994','1795979566005','1795979565958','127.0.0.1','1','1','1');
INSERT INTO audit_entries (id,at,actor_kind,actor_name,address,action,target_id,details) VALUES
('aud_01M8MBJPAN4D086TF4Z58DK777','1795979565397','server','server','local','link.created','lnk_01M8MBJPAF2F0AY8NJ708EC3VB','{"kind":"setup"}');
INSERT INTO audit_entries (id,at,actor_kind,actor_name,address,action,hub_id,target_id,target_name,details) VALUES
('aud_01M8MBJPBWE12W67FSHH0V8ZZ1','1795979565436','local','local admin','local','hub.created','hub_01M8MBJPBPF3S37E6QPHHPP1PE','hub_01M8MBJPBPF3S37E6QPHHPP1PE','Releases','{}'),
('aud_01M8MBJPC1FTQWNZA15ZZRFY8K','1795979565441','local','local admin','local','hub.created','hub_01M8MBJPC06G8Q419AX0MQ043J','hub_01M8MBJPC06G8Q419AX0MQ043J','Deleted','{}'),
('aud_01M8MBJPK9CHHB7SHH0AAASZX3','1795979565673','local','local admin','local','member.added','hub_01M8MBJPBPF3S37E6QPHHPP1PE','usr_01M8MBJPF0AWFS950PF44HQWEJ','Ada Lovelace','{}'),
('aud_01M8MBJPKTC312WNCANXHG4N3Y','1795979565690','local','local admin','local','member.added','hub_01M8MBJPBPF3S37E6QPHHPP1PE','usr_01M8MBJPH6DMJM5FWW9P46Z33D','Bob Kahn','{}'),
('aud_01M8MBJPSZ790YP0CEG76FAYH2','1795979565887','local','local admin','local','key.issued','hub_01M8MBJPBPF3S37E6QPHHPP1PE','key_01M8MBJPSX0WHVPKSNT4DP1N2W','ci','{"scopes":["messages:create","notes:create","todos:create"],"expiresAt":null}'),
('aud_01M8MBJPT37MTB18FKRXXNJR9F','1795979565891','local','local admin','local','key.issued','hub_01M8MBJPBPF3S37E6QPHHPP1PE','key_01M8MBJPT26YPBA1CS53BQXF6P','spam','{"scopes":["messages:create","notes:create","todos:create"],"expiresAt":null}'),
('aud_01M8MBJPWY77RS3Z4V9QR7PX1G','1795979565982','local','local admin','local','posts.removed','hub_01M8MBJPBPF3S37E6QPHHPP1PE','key_01M8MBJPT26YPBA1CS53BQXF6P','spam','{"removalId":"rmv_01M8MBJPWV5SCR4XZEGDYCR47X","from":null,"to":null,"count":1}'),
('aud_01M8MBJPXH4QXE0FTMPM0P8RZR','1795979566001','local','local admin','local','key.rotated','hub_01M8MBJPBPF3S37E6QPHHPP1PE','key_01M8MBJPT26YPBA1CS53BQXF6P','spam','{"successorId":"key_01M8MBJPXC2Q3BQ9J6C4T188KP","expiresAt":null,"overlapEndsAt":"2026-11-30T19:12:45.994Z"}'),
('aud_01M8MBJPXP1N2R5BHF3T5Q8Z1Y','1795979566005','local','local admin','local','key.revoked','hub_01M8MBJPBPF3S37E6QPHHPP1PE','key_01M8MBJPT26YPBA1CS53BQXF6P','spam','{"successorId":"key_01M8MBJPXC2Q3BQ9J6C4T188KP"}'),
('aud_01M8MBJQC40S3VMJZJVMQXXK2Q','1795979566467','local','local admin','local','hub.deleted','hub_01M8MBJPC06G8Q419AX0MQ043J','hub_01M8MBJPC06G8Q419AX0MQ043J','Deleted','{}');
INSERT INTO audit_entries (id,at,actor_kind,actor_name,address,action,target_id,target_name,details) VALUES
('aud_01M8MBJPFE8BH5WKWMZHJ1TQ2H','1795979565550','local','local admin','local','user.created','usr_01M8MBJPF0AWFS950PF44HQWEJ','Ada Lovelace','{"email":"ada@example.org","role":"owner"}'),
('aud_01M8MBJPH9E3T1NT3XY5646J3X','1795979565609','local','local admin','local','user.created','usr_01M8MBJPH6DMJM5FWW9P46Z33D','Bob Kahn','{"email":"bob@example.org","role":"member"}'),
('aud_01M8MBJPJZ63Q0WNMRQ5H4YGAE','1795979565663','local','local admin','local','user.created','usr_01M8MBJPJXASMD38M6J1571EPT','Eve','{"email":"eve@example.org","role":"member"}'),
('aud_01M8MBJQBMC9QWJ7PZ2F6WKJPH','1795979566452','local','local admin','local','user.disabled','usr_01M8MBJPJXASMD38M6J1571EPT','Eve','{}'),
('aud_01M8MBJQBV15FDN5KH0AF6YYNZ','1795979566459','local','local admin','local','user.invited','lnk_01M8MBJQBTE1WKJC411NCABEGT','dan@example.org','{"role":"member","hubIds":["hub_01M8MBJPBPF3S37E6QPHHPP1PE"]}');
INSERT INTO audit_entries (id,at,actor_kind,actor_id,actor_name,address,action,target_id,details) VALUES
('aud_01M8MBJPQCEHVQXY0G5RK2Q1NG','1795979565804','user','usr_01M8MBJPF0AWFS950PF44HQWEJ','Ada Lovelace','127.0.0.1','session.started','ses_01M8MBJPQ8DE74CG2791Q7QB4G','{"userAgent":"Bun/1.4.5"}'),
('aud_01M8MBJPS89E5JCDK7VR7J72JK','1795979565864','user','usr_01M8MBJPH6DMJM5FWW9P46Z33D','Bob Kahn','127.0.0.1','session.started','ses_01M8MBJPS61NJ8YK433VH82CVB','{"userAgent":"Bun/1.4.5"}'),
('aud_01M8MBJQA77TE49CB1HMD7YT4F','1795979566407','user','usr_01M8MBJPJXASMD38M6J1571EPT','Eve','127.0.0.1','session.started','ses_01M8MBJQA64RETYADXBXZ6JX1N','{"userAgent":"Bun/1.4.5"}');
INSERT INTO audit_entries (id,at,actor_kind,actor_id,actor_name,address,action,target_id,target_name,details) VALUES
('aud_01M8MBJPSQ0EY0EM5PWWKCZQ95','1795979565879','user','usr_01M8MBJPF0AWFS950PF44HQWEJ','Ada Lovelace','127.0.0.1','token.created','pat_01M8MBJPSM22TDFYD5H2TMDVNA','hubctl','{"expiresAt":null}'),
('aud_01M8MBJQB190MQNE7FSX9V7K6R','1795979566433','user','usr_01M8MBJPJXASMD38M6J1571EPT','Eve','127.0.0.1','factor.added','fac_01M8MBJQAZ5TK0RX80H1S0VNER','Phone','{"kind":"totp"}');
INSERT INTO audit_entries (id,at,actor_kind,actor_id,actor_name,address,action,hub_id,target_id,details) VALUES
('aud_01M8MBJQ46DBK19356XFC5CEPW','1795979566214','user','usr_01M8MBJPF0AWFS950PF44HQWEJ','Ada Lovelace','127.0.0.1','item.deleted','hub_01M8MBJPBPF3S37E6QPHHPP1PE','msg_01M8MBJQ3VF6ZG938S90GJ4FFY','{"kind":"message"}');
INSERT INTO audit_entries (id,at,actor_kind,actor_id,actor_name,address,action,hub_id,target_id,target_name,details) VALUES
('aud_01M8MBJQ5D8KP43J9ZC6QCYEVZ','1795979566251','user','usr_01M8MBJPF0AWFS950PF44HQWEJ','Ada Lovelace','127.0.0.1','hub.changed','hub_01M8MBJPBPF3S37E6QPHHPP1PE','hub_01M8MBJPBPF3S37E6QPHHPP1PE','Releases','{"topic":"What we ship","formerTopic":null,"retentionDays":36500,"formerRetentionDays":null}'),
('aud_01M8MBJQDPA6JJSYXKHD0YCET4','1795979566518','user','usr_01M8MBJPF0AWFS950PF44HQWEJ','Ada Lovelace','127.0.0.1','hub.exported','hub_01M8MBJPBPF3S37E6QPHHPP1PE','hub_01M8MBJPBPF3S37E6QPHHPP1PE','Releases','{}');
INSERT INTO events (hub_number,seq,at,event,data) VALUES
('1','1','1795979565673','member.added','{"id":"usr_01M8MBJPF0AWFS950PF44HQWEJ","name":"Ada Lovelace"}'),
('1','2','1795979565690','member.added','{"id":"usr_01M8MBJPH6DMJM5FWW9P46Z33D","name":"Bob Kahn"}'),
('1','12','1795979566127','hub.changed','{"name":"Releases","topic":null,"retentionDays":null,"pinnedIds":["msg_01M8MBJPYMC2MJ426MRK8YA5FT"]}'),
('1','22','1795979566251','hub.changed','{"name":"Releases","topic":"What we ship","retentionDays":36500}'),
('2','1','1795979566467','hub.deleted','{"name":"Deleted"}');
INSERT INTO events (hub_number,seq,at,event,item_id) VALUES
('1','3','1795979565904','message.created','msg_01M8MBJPTG2KTV3JSWT9XCC5CF'),
('1','4','1795979565942','note.created','note_01M8MBJPVP68RZ9P6E0A6SHPQK'),
('1','5','1795979565951','todo.created','todo_01M8MBJPVZFDRYJHAS7ADG1EKF'),
('1','6','1795979565958','message.created','msg_01M8MBJPW73X1WBPEXN01EHE83'),
('1','7','1795979565979','message.deleted','msg_01M8MBJPW73X1WBPEXN01EHE83'),
('1','8','1795979566036','message.created','msg_01M8MBJPYMC2MJ426MRK8YA5FT'),
('1','9','1795979566083','message.created','msg_01M8MBJQ03199YV17KAK0SXQ67'),
('1','10','1795979566083','message.changed','msg_01M8MBJPYMC2MJ426MRK8YA5FT'),
('1','11','1795979566111','message.changed','msg_01M8MBJPYMC2MJ426MRK8YA5FT'),
('1','13','1795979566152','todo.created','todo_01M8MBJQ289WKHF3NMW3DWM6YE'),
('1','14','1795979566152','message.changed','msg_01M8MBJQ03199YV17KAK0SXQ67'),
('1','15','1795979566167','todo.changed','todo_01M8MBJQ289WKHF3NMW3DWM6YE'),
('1','16','1795979566179','message.created','msg_01M8MBJQ332YM5JWNWYNER0YSF'),
('1','17','1795979566193','message.changed','msg_01M8MBJQ332YM5JWNWYNER0YSF'),
('1','18','1795979566203','message.created','msg_01M8MBJQ3VF6ZG938S90GJ4FFY'),
('1','19','1795979566214','message.deleted','msg_01M8MBJQ3VF6ZG938S90GJ4FFY'),
('1','20','1795979566225','note.created','note_01M8MBJQ4HB5KPTAWF5X6V8RSX'),
('1','21','1795979566236','note.changed','note_01M8MBJQ4HB5KPTAWF5X6V8RSX');
INSERT INTO factors (id,user_id,kind,name,created_at,key,counter) VALUES
('fac_01M8MBJQAZ5TK0RX80H1S0VNER','usr_01M8MBJPJXASMD38M6J1571EPT','totp','Phone','1795979566431',E'\\x017904262401540d212794483af8719ff4924770','59865985');
INSERT INTO file_chunks (file_id,n,bytes) VALUES
('file_01M8MBJPXY5373JC7XJPV75AS6','0',E'\\x6275696c74');
INSERT INTO files (id,hub_id,name,size,content_type,sha256,created_at,item_id) VALUES
('file_01M8MBJPXY5373JC7XJPV75AS6','hub_01M8MBJPBPF3S37E6QPHHPP1PE','build.log','5','application/octet-stream','586a866f990ab55e36decfffc2011f172e4452d5141c939a5436baffba11111d','1795979566019','msg_01M8MBJPYMC2MJ426MRK8YA5FT');
INSERT INTO hub_migrations (hash,applied_at) VALUES
('6c0e30d86161ef3f173a99c8a8ade31556ef1640787f8a05e32db0acfeaf409a','2026-11-29 19:12:44.869895+00');
INSERT INTO hubs (number,id,name,normalized_name,topic,conversation_id,notes_bucket_id,todos_bucket_id,seq,item_count,created_at,retention_days) VALUES
('1','hub_01M8MBJPBPF3S37E6QPHHPP1PE','Releases','releases','What we ship','cnv_01M8MBJPBQ63B2582C0GWJX3K7','bkt_01M8MBJPBQ63B2582C0GWJX3K8','bkt_01M8MBJPBQ63B2582C0GWJX3K9','22','8','1795979565431','36500');
INSERT INTO hubs (number,id,name,normalized_name,conversation_id,notes_bucket_id,todos_bucket_id,seq,item_count,created_at,deleted_at) VALUES
('2','hub_01M8MBJPC06G8Q419AX0MQ043J','Deleted','deleted','cnv_01M8MBJPC06G8Q419AX0MQ043K','bkt_01M8MBJPC06G8Q419AX0MQ043M','bkt_01M8MBJPC06G8Q419AX0MQ043N','1','0','1795979565440','1795979566467');
INSERT INTO item_terms (global_seq,words,phrases) VALUES
('1','''1'' '':hub_01M8MBJPBPF3S37E6QPHHPP1PE'' ''uber''','  
 uber 1 '),
('2',''':hub_01M8MBJPBPF3S37E6QPHHPP1PE'' ''changes'' ''faster'' ''it'' ''s''',' changes 
 it s faster '),
('3',''':hub_01M8MBJPBPF3S37E6QPHHPP1PE'' ''renew''',' renew 
  '),
('4',''':hub_01M8MBJPBPF3S37E6QPHHPP1PE'' ''removed''','  
 removed '),
('5',''':hub_01M8MBJPBPF3S37E6QPHHPP1PE'' ''bob'' ''build'' ''kahn'' ''log'' ''ready''','  
 ready bob kahn build log '),
('6',''':hub_01M8MBJPBPF3S37E6QPHHPP1PE'' ''yes''','  
 yes '),
('7',''':hub_01M8MBJPBPF3S37E6QPHHPP1PE'' ''yes''',' yes 
  '),
('8',''':hub_01M8MBJPBPF3S37E6QPHHPP1PE'' ''deploy''','  
 deploy '),
('9',''':hub_01M8MBJPBPF3S37E6QPHHPP1PE'' ''deleted''','  
 deleted '),
('10',''':hub_01M8MBJPBPF3S37E6QPHHPP1PE'' ''final''','  
 final ');
INSERT INTO items (global_seq,id,hub_number,kind,seq,created_at,author_kind,author_id,key_id,address,request_id,blocks,reply_count,version) VALUES
('1','msg_01M8MBJPTG2KTV3JSWT9XCC5CF','1','message','3','1795979565904','bot','bot_01M8MBJP5K59KD37AECN2H4H0V','key_01M8MBJPSX0WHVPKSNT4DP1N2W','127.0.0.1','req_01M8MBJPT4FTZW4PYECG59TCAM','[{"type":"header","data":{"text":"Über <b>1</b> 🚀","level":2}}]','0','1');
INSERT INTO items (global_seq,id,hub_number,kind,seq,created_at,author_kind,author_id,key_id,address,request_id,title,body,reply_count,version) VALUES
('2','note_01M8MBJPVP68RZ9P6E0A6SHPQK','1','note','4','1795979565942','bot','bot_01M8MBJP5K59KD37AECN2H4H0V','key_01M8MBJPSX0WHVPKSNT4DP1N2W','127.0.0.1','req_01M8MBJPVFFCFM25KY7HF0CRWW','Changes','It''s *faster*','0','1');
INSERT INTO items (global_seq,id,hub_number,kind,seq,created_at,author_kind,author_id,key_id,address,request_id,title,due_at,priority,status,reply_count,version) VALUES
('3','todo_01M8MBJPVZFDRYJHAS7ADG1EKF','1','todo','5','1795979565951','bot','bot_01M8MBJP5K59KD37AECN2H4H0V','key_01M8MBJPSX0WHVPKSNT4DP1N2W','127.0.0.1','req_01M8MBJPVV0PGV3SJ71FWB947J','Renew','1796115600000','HIGH','open','0','1');
INSERT INTO items (global_seq,id,hub_number,kind,seq,created_at,author_kind,author_id,key_id,address,request_id,body,reply_count,version,deleted_at,removal_id) VALUES
('4','msg_01M8MBJPW73X1WBPEXN01EHE83','1','message','6','1795979565958','bot','bot_01M8MBJP5K59KD37AECN2H4H0V','key_01M8MBJPT26YPBA1CS53BQXF6P','127.0.0.1','req_01M8MBJPW515SHWT8Y0RCCXKC5','removed','0','1','1795979565979','rmv_01M8MBJPWV5SCR4XZEGDYCR47X');
INSERT INTO items (global_seq,id,hub_number,kind,seq,created_at,author_kind,author_id,body,files,reply_count,last_reply_at,version) VALUES
('5','msg_01M8MBJPYMC2MJ426MRK8YA5FT','1','message','8','1795979566036','user','usr_01M8MBJPF0AWFS950PF44HQWEJ','Ready, @Bob Kahn?','[{"id":"file_01M8MBJPXY5373JC7XJPV75AS6","name":"build.log","size":5,"contentType":"application/octet-stream"}]','1','1795979566083','1');
INSERT INTO items (global_seq,id,hub_number,kind,seq,created_at,author_kind,author_id,body,parent_id,reply_count,conversion_id,conversion_kind,version) VALUES
('6','msg_01M8MBJQ03199YV17KAK0SXQ67','1','reply','9','1795979566083','user','usr_01M8MBJPH6DMJM5FWW9P46Z33D','Yes','msg_01M8MBJPYMC2MJ426MRK8YA5FT','0','todo_01M8MBJQ289WKHF3NMW3DWM6YE','todo','1');
INSERT INTO items (global_seq,id,hub_number,kind,seq,created_at,author_kind,author_id,title,status,assignee_id,finished_at,finished_by_id,reply_count,source_id,version) VALUES
('7','todo_01M8MBJQ289WKHF3NMW3DWM6YE','1','todo','13','1795979566152','user','usr_01M8MBJPF0AWFS950PF44HQWEJ','Yes','done','usr_01M8MBJPH6DMJM5FWW9P46Z33D','1795979566167','usr_01M8MBJPH6DMJM5FWW9P46Z33D','0','msg_01M8MBJQ03199YV17KAK0SXQ67','2');
INSERT INTO items (global_seq,id,hub_number,kind,seq,created_at,author_kind,author_id,body,finished_at,finished_by_id,question,reply_count,version) VALUES
('8','msg_01M8MBJQ332YM5JWNWYNER0YSF','1','message','16','1795979566179','user','usr_01M8MBJPF0AWFS950PF44HQWEJ','Deploy?','1795979566193','usr_01M8MBJPH6DMJM5FWW9P46Z33D','{"choices":["yes","no"],"answerBy":null,"expiresAt":1795980166179,"choice":"yes"}','0','1');
INSERT INTO items (global_seq,id,hub_number,kind,seq,created_at,author_kind,author_id,body,reply_count,version,deleted_at,deleted_by_id) VALUES
('9','msg_01M8MBJQ3VF6ZG938S90GJ4FFY','1','message','18','1795979566203','user','usr_01M8MBJPF0AWFS950PF44HQWEJ','deleted','0','1','1795979566214','usr_01M8MBJPF0AWFS950PF44HQWEJ');
INSERT INTO items (global_seq,id,hub_number,kind,seq,created_at,author_kind,author_id,body,reply_count,version,edited_at,edited_by_kind,edited_by_id) VALUES
('10','note_01M8MBJQ4HB5KPTAWF5X6V8RSX','1','note','20','1795979566225','user','usr_01M8MBJPF0AWFS950PF44HQWEJ','Final','0','2','1795979566236','user','usr_01M8MBJPH6DMJM5FWW9P46Z33D');
INSERT INTO key_addresses (key_id,address,last_used_at,requests) VALUES
('key_01M8MBJPSX0WHVPKSNT4DP1N2W','127.0.0.1','1795979565948','3'),
('key_01M8MBJPT26YPBA1CS53BQXF6P','127.0.0.1','1795979565958','1');
INSERT INTO key_days (key_id,day,requests,posts,blocks) VALUES
('key_01M8MBJPSX0WHVPKSNT4DP1N2W','20786','3','3','0'),
('key_01M8MBJPT26YPBA1CS53BQXF6P','20786','1','1','0');
INSERT INTO links (id,token_hash,kind,email,role,hub_ids,created_at,created_by_kind,created_by_name,expires_at) VALUES
('lnk_01M8MBJQBTE1WKJC411NCABEGT',E'\\x884affdb22e740f1fee0c527a54e398186c3321a4ba5081952e832280f99d354','invitation','dan@example.org','member','["hub_01M8MBJPBPF3S37E6QPHHPP1PE"]','1795979566458','local','local admin','1796584366458');
INSERT INTO memberships (hub_id,user_id,joined_at,read_seq,read_global_seq,note_read_seq,note_read_global_seq,todo_read_seq,todo_read_global_seq,read_version,is_favorite) VALUES
('hub_01M8MBJPBPF3S37E6QPHHPP1PE','usr_01M8MBJPH6DMJM5FWW9P46Z33D','1795979565690','2','0','2','0','2','0','0','false'),
('hub_01M8MBJPBPF3S37E6QPHHPP1PE','usr_01M8MBJPF0AWFS950PF44HQWEJ','1795979565673','3','1','3','0','3','0','0','true');
INSERT INTO mentions (user_id,item_global_seq,item_id,hub_id,kind,is_named,is_answered,is_unread) VALUES
('usr_01M8MBJPH6DMJM5FWW9P46Z33D','5','msg_01M8MBJPYMC2MJ426MRK8YA5FT','hub_01M8MBJPBPF3S37E6QPHHPP1PE','message','true','false','true'),
('usr_01M8MBJPF0AWFS950PF44HQWEJ','6','msg_01M8MBJQ03199YV17KAK0SXQ67','hub_01M8MBJPBPF3S37E6QPHHPP1PE','reply','false','true','true');
INSERT INTO node_state (id,rights_version) VALUES
('1','10');
INSERT INTO notification_modes (user_id,target_id,hub_id,mode) VALUES
('usr_01M8MBJPF0AWFS950PF44HQWEJ','hub_01M8MBJPBPF3S37E6QPHHPP1PE','hub_01M8MBJPBPF3S37E6QPHHPP1PE','muted'),
('usr_01M8MBJPF0AWFS950PF44HQWEJ','key_01M8MBJPSX0WHVPKSNT4DP1N2W','hub_01M8MBJPBPF3S37E6QPHHPP1PE','every');
INSERT INTO notification_positions (hub_id,seq) VALUES
('','0'),
('hub_01M8MBJPBPF3S37E6QPHHPP1PE','22');
INSERT INTO notification_settings (user_id,mentions,assignments,replies,mention_mail,mailed_global_seq) VALUES
('usr_01M8MBJPF0AWFS950PF44HQWEJ','true','true','false','false','0');
INSERT INTO personal_tokens (id,token_hash,last_four,user_id,name,created_at,last_used_at,last_used_address) VALUES
('pat_01M8MBJPSM22TDFYD5H2TMDVNA',E'\\x5cf9f135810373513604894640957fb3dec6ec78eb9de9bd13aabaabbd3e3dce','I7k2','usr_01M8MBJPF0AWFS950PF44HQWEJ','hubctl','1795979565876','1795979566481','127.0.0.1');
INSERT INTO pins (item_id,hub_id,pinned_at,pinned_by_id) VALUES
('msg_01M8MBJPYMC2MJ426MRK8YA5FT','hub_01M8MBJPBPF3S37E6QPHHPP1PE','1795979566127','usr_01M8MBJPF0AWFS950PF44HQWEJ');
INSERT INTO push_identity (id,public_key,private_key) VALUES
('1',E'\\x0487f4fbe7a25ecf252670a083f0ea942088d8d2d8a75e8ce2dca70e18f8ca392bfa78d7ad90f174728de11d4d01996d7b6826825d611b345ddcca3a2507670447',E'\\x4a2dcf4e5f6057f24f5c4d3e46131f36a9d26a0da3f316e6732b1ad49f135d3f');
INSERT INTO push_subscriptions (session_id,user_id,endpoint,p256dh,auth,origin,created_at) VALUES
('ses_01M8MBJPQ8DE74CG2791Q7QB4G','usr_01M8MBJPF0AWFS950PF44HQWEJ','https://push.example.net/1',E'\\x042571b2becdfde360551aaf1ed0f4cd366c11cebe555f89bcb7b186a53339173168ece2ebe018597bd30479b86e3c8f8eced577ca59187e9246990db682008b0e',E'\\x05305932a1c7eabe13b6cec9fda48882','http://127.0.0.1:32889','1795979566342');
INSERT INTO reactions (item_id,emoji,user_id,at) VALUES
('msg_01M8MBJPYMC2MJ426MRK8YA5FT','👍','usr_01M8MBJPH6DMJM5FWW9P46Z33D','1795979566111');
INSERT INTO recovery_codes (user_id,hash) VALUES
('usr_01M8MBJPJXASMD38M6J1571EPT',E'\\xa3a34af780098b296c3ffa458e71f7e789adc967cd41fed74667bde09f52fa7a'),
('usr_01M8MBJPJXASMD38M6J1571EPT',E'\\xaeb04b280145e88f63238734b1fedd10fef662fa4c7362c40f7e93c1eccb3dc5'),
('usr_01M8MBJPJXASMD38M6J1571EPT',E'\\xf67d888fa2c34eba97f34fa60b75b7dec1d960664fc8cd0afaed85bc1a528717'),
('usr_01M8MBJPJXASMD38M6J1571EPT',E'\\x02d59f97d158a84963727616f182bc8feab80a57b51b27554988224d399bf207'),
('usr_01M8MBJPJXASMD38M6J1571EPT',E'\\xab824b64daa87c0ba8d1efe1c202c909e3f28397a41977e87e8d178383e7af2c'),
('usr_01M8MBJPJXASMD38M6J1571EPT',E'\\x38f3238816648ea9ffce8880075a7b1f43502ef243b51a3b35d2cee4099c1523'),
('usr_01M8MBJPJXASMD38M6J1571EPT',E'\\x03ad5cd7b3404300eec04386d995a5968ca6fbcfe2c71c7ab1b40c741c8f92e7'),
('usr_01M8MBJPJXASMD38M6J1571EPT',E'\\x3d118eb1613a34798883198cef61d0c99691b9f824c1c4dcf13e659b4698f921'),
('usr_01M8MBJPJXASMD38M6J1571EPT',E'\\xd10e9a068850a88db66888db9a4398c23a6d609c668a8ca0ebb5e9c8806f1215'),
('usr_01M8MBJPJXASMD38M6J1571EPT',E'\\xcf4cd23fd2514ed2c40d00943150ac81c31551ab3eb2f8dfbf8f47e03ee19686');
INSERT INTO removals (id,key_id,hub_id,count,removed_at) VALUES
('rmv_01M8MBJPWV5SCR4XZEGDYCR47X','key_01M8MBJPT26YPBA1CS53BQXF6P','hub_01M8MBJPBPF3S37E6QPHHPP1PE','1','1795979565979');
INSERT INTO sessions (id,token_hash,user_id,created_at,last_used_at,expires_at,address,user_agent) VALUES
('ses_01M8MBJPQ8DE74CG2791Q7QB4G',E'\\x7b581fddb4d54d69e328fe388b3639d76da12ccc7ca472d0a5d3d796835a57a3','usr_01M8MBJPF0AWFS950PF44HQWEJ','1795979565800','1795979565870','1798571565870','127.0.0.1','Bun/1.4.5'),
('ses_01M8MBJPS61NJ8YK433VH82CVB',E'\\x0a760565f6fd4d4e7d425b7af871d3daaf73f53a0a0f85ee00cb18b1206234c5','usr_01M8MBJPH6DMJM5FWW9P46Z33D','1795979565862','1795979566072','1798571566072','127.0.0.1','Bun/1.4.5');
INSERT INTO todo_changes (item_id,version,field,value,at,by_id) VALUES
('todo_01M8MBJQ289WKHF3NMW3DWM6YE','2','status','done','1795979566167','usr_01M8MBJPH6DMJM5FWW9P46Z33D');
INSERT INTO users (id,email,name,caseless_name,skeleton_name,role,password_hash,created_at,last_seen_at) VALUES
('usr_01M8MBJPH6DMJM5FWW9P46Z33D','bob@example.org','Bob Kahn','bob kahn','bob kahn','member','$argon2id$v=19$m=19456,t=2,p=1$4rgMHJUWm3g6RgZ/NJQd6kexMsqoCTMGb2l7pIyC/kQ$7pBE3pZZ7WViFJgQebmY+Jqn8+TCZWs1wkxZt9PJkMU','1795979565606','1795979566072'),
('usr_01M8MBJPF0AWFS950PF44HQWEJ','ada@example.org','Ada Lovelace','ada lovelace','ada lovelace','owner','$argon2id$v=19$m=19456,t=2,p=1$8FGKLMM9h5xdZRxUckBaasEgJRefhLvD7odK4Xq2bFs$LIBTjD20vspMsWIBmm4OOay4n+8/P40iQP1JivdlLDM','1795979565536','1795979566481');
INSERT INTO users (id,email,name,caseless_name,skeleton_name,role,password_hash,created_at,disabled_at,last_seen_at) VALUES
('usr_01M8MBJPJXASMD38M6J1571EPT','eve@example.org','Eve','eve','eve','member','$argon2id$v=19$m=19456,t=2,p=1$lmFvq+fKmsgVl0NjGSZNjNi7iPVtG5t6t1vVRzCRr7A$fYSEiV4gtwqoOGTMUQkmzIqQtdlphRBXMYcaD7u/aB0','1795979565661','1795979566446','1795979566411');
INSERT INTO workspace (id,bot_id,bot_name,epoch,created_at,name,members_manage_keys,second_factor,file_bytes,database_id) VALUES
('1','bot_01M8MBJP5K59KD37AECN2H4H0V','Bot','epoch_01M8MBJP5K59KD37AECN2H4H0W','1795979565235','Hub','true','optional','5','7713673472781944004/16895');
SELECT setval('hub_migrations_number_seq', 1);
SELECT setval('hubs_number_seq', 2);
SELECT setval('items_global_seq_seq', 10);