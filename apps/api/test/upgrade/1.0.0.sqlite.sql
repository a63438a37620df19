-- {"contents":{"hubs":{"items":[{"id":"hub_01M8MBJKPG44Q8KTV8M7PHMF2N","name":"Releases","topic":"What we ship","conversationId":"cnv_01M8MBJKPG44Q8KTV8M7PHMF2P","notesBucketId":"bkt_01M8MBJKPG44Q8KTV8M7PHMF2Q","todosBucketId":"bkt_01M8MBJKPG44Q8KTV8M7PHMF2R","createdAt":"2026-11-29T19:12:42.704Z","retentionDays":36500,"seq":22,"isMember":true,"isMuted":true,"isFavorite":true,"pinnedIds":["msg_01M8MBJM390CVMN2DZX0FF1QTG"],"readSeq":3,"readSeqs":{"message":3,"note":3,"todo":3},"readVersion":0,"unreadCount":2,"unreadCounts":{"message":0,"note":1,"todo":1},"unreadMentionIds":["msg_01M8MBJM47A4N39HFJP9V0AVQ0"]}]},"exported":{"hub":{"id":"hub_01M8MBJKPG44Q8KTV8M7PHMF2N","name":"Releases","topic":"What we ship","conversationId":"cnv_01M8MBJKPG44Q8KTV8M7PHMF2P","notesBucketId":"bkt_01M8MBJKPG44Q8KTV8M7PHMF2Q","todosBucketId":"bkt_01M8MBJKPG44Q8KTV8M7PHMF2R","createdAt":"2026-11-29T19:12:42.704Z","retentionDays":36500,"seq":22,"pinnedIds":["msg_01M8MBJM390CVMN2DZX0FF1QTG"]},"members":[{"id":"usr_01M8MBJKTTDP9M309652SW1443","name":"Bob Kahn","email":"bob@example.org","role":"member","joinedAt":"2026-11-29T19:12:42.901Z"},{"id":"usr_01M8MBJKS88E3J5C6DV5D18FEK","name":"Ada Lovelace","email":"ada@example.org","role":"owner","joinedAt":"2026-11-29T19:12:42.891Z"}],"messages":[{"kind":"message","id":"msg_01M8MBJM1DFQSBQG4FMM18C8W1","hubId":"hub_01M8MBJKPG44Q8KTV8M7PHMF2N","seq":3,"createdAt":"2026-11-29T19:12:43.053Z","author":{"id":"bot_01M8MBJKHWAFSDTVYCYA7Q2AAA","kind":"bot","name":"Bot"},"key":{"id":"key_01M8MBJM1372MBCMH5VCWBBJA5","name":"ci"},"version":1,"mentions":[],"blocks":[{"type":"header","data":{"text":"Über <b>1</b> 🚀","level":2}}],"replyCount":0,"reactions":[]},{"kind":"message","id":"msg_01M8MBJM390CVMN2DZX0FF1QTG","hubId":"hub_01M8MBJKPG44Q8KTV8M7PHMF2N","seq":8,"createdAt":"2026-11-29T19:12:43.113Z","author":{"id":"usr_01M8MBJKS88E3J5C6DV5D18FEK","kind":"user","name":"Ada Lovelace"},"version":1,"mentions":["usr_01M8MBJKTTDP9M309652SW1443"],"files":[{"id":"file_01M8MBJM2R532HRDJ261BPK86G","name":"build.log","size":5,"contentType":"application/octet-stream"}],"text":"Ready, @Bob Kahn?","replyCount":1,"lastReplyAt":"2026-11-29T19:12:43.143Z","repliers":["usr_01M8MBJKTTDP9M309652SW1443"],"reactions":[{"emoji":"👍","userIds":["usr_01M8MBJKTTDP9M309652SW1443"]}]},{"kind":"message","id":"msg_01M8MBJM47A4N39HFJP9V0AVQ0","hubId":"hub_01M8MBJKPG44Q8KTV8M7PHMF2N","seq":9,"createdAt":"2026-11-29T19:12:43.143Z","author":{"id":"usr_01M8MBJKTTDP9M309652SW1443","kind":"user","name":"Bob Kahn"},"version":1,"mentions":[],"text":"Yes","parentId":"msg_01M8MBJM390CVMN2DZX0FF1QTG","replyCount":0,"reactions":[],"conversion":{"kind":"todo","id":"todo_01M8MBJM5T0BF7GR259HAP7CT5"}},{"kind":"message","id":"msg_01M8MBJM661C5CGGWT9A3QGDVE","hubId":"hub_01M8MBJKPG44Q8KTV8M7PHMF2N","seq":16,"createdAt":"2026-11-29T19:12:43.206Z","author":{"id":"usr_01M8MBJKS88E3J5C6DV5D18FEK","kind":"user","name":"Ada Lovelace"},"version":1,"mentions":[],"text":"Deploy?","replyCount":0,"reactions":[],"question":{"choices":["yes","no"],"expiresAt":"2026-11-29T19:22:43.206Z","state":"answered","answer":{"choice":"yes","by":{"id":"usr_01M8MBJKTTDP9M309652SW1443","name":"Bob Kahn"},"at":"2026-11-29T19:12:43.213Z"}}}],"notes":[{"kind":"note","id":"note_01M8MBJM1J4KYK4SV2258HDYVC","hubId":"hub_01M8MBJKPG44Q8KTV8M7PHMF2N","seq":4,"createdAt":"2026-11-29T19:12:43.058Z","author":{"id":"bot_01M8MBJKHWAFSDTVYCYA7Q2AAA","kind":"bot","name":"Bot"},"key":{"id":"key_01M8MBJM1372MBCMH5VCWBBJA5","name":"ci"},"version":1,"mentions":[],"title":"Changes","content":"It's *faster*","replyCount":0},{"kind":"note","id":"note_01M8MBJM74BDYKBTH3A4A1C1FP","hubId":"hub_01M8MBJKPG44Q8KTV8M7PHMF2N","seq":20,"createdAt":"2026-11-29T19:12:43.236Z","author":{"id":"usr_01M8MBJKS88E3J5C6DV5D18FEK","kind":"user","name":"Ada Lovelace"},"version":2,"editedAt":"2026-11-29T19:12:43.244Z","editedBy":{"kind":"user","id":"usr_01M8MBJKTTDP9M309652SW1443","name":"Bob Kahn"},"mentions":[],"content":"Final","replyCount":0}],"todos":[{"kind":"todo","id":"todo_01M8MBJM1N5M1Z3515ZKCWTJFR","hubId":"hub_01M8MBJKPG44Q8KTV8M7PHMF2N","seq":5,"createdAt":"2026-11-29T19:12:43.061Z","author":{"id":"bot_01M8MBJKHWAFSDTVYCYA7Q2AAA","kind":"bot","name":"Bot"},"key":{"id":"key_01M8MBJM1372MBCMH5VCWBBJA5","name":"ci"},"version":1,"mentions":[],"title":"Renew","dueDate":"2026-12-01T09:00:00.000Z","priority":"HIGH","status":"open","replyCount":0},{"kind":"todo","id":"todo_01M8MBJM5T0BF7GR259HAP7CT5","hubId":"hub_01M8MBJKPG44Q8KTV8M7PHMF2N","seq":13,"createdAt":"2026-11-29T19:12:43.194Z","author":{"id":"usr_01M8MBJKS88E3J5C6DV5D18FEK","kind":"user","name":"Ada Lovelace"},"version":2,"mentions":[],"title":"Yes","status":"done","assignee":{"id":"usr_01M8MBJKTTDP9M309652SW1443","name":"Bob Kahn"},"finishedAt":"2026-11-29T19:12:43.202Z","finishedBy":{"id":"usr_01M8MBJKTTDP9M309652SW1443","name":"Bob Kahn"},"replyCount":0,"sourceId":"msg_01M8MBJM47A4N39HFJP9V0AVQ0"}]},"text":"built","users":{"items":[{"id":"usr_01M8MBJKW4FEP6BF5FY3HEJT4D","name":"Eve","email":"eve@example.org","role":"member","createdAt":"2026-11-29T19:12:42.884Z","disabledAt":"2026-11-29T19:12:43.388Z"},{"id":"usr_01M8MBJKTTDP9M309652SW1443","name":"Bob Kahn","email":"bob@example.org","role":"member","createdAt":"2026-11-29T19:12:42.842Z"},{"id":"usr_01M8MBJKS88E3J5C6DV5D18FEK","name":"Ada Lovelace","email":"ada@example.org","role":"owner","createdAt":"2026-11-29T19:12:42.792Z"}]},"keys":{"items":[{"id":"key_01M8MBJM2840CYQ22TG7JZ0WGQ","hubId":"hub_01M8MBJKPG44Q8KTV8M7PHMF2N","hubName":"Releases","isHubDeleted":false,"name":"spam","hint":"hub_live_…LzzV","scopes":["messages:create","notes:create","todos:create"],"state":"active","generation":2,"predecessorId":"key_01M8MBJM16FTNJTHMA22B87AFF","createdAt":"2026-11-29T19:12:43.079Z","createdBy":{"kind":"local","name":"local admin"},"isIssuerGone":false,"requestCount":0,"postCount":0,"unusedScopes":["messages:create","notes:create","todos:create"]},{"id":"key_01M8MBJM16FTNJTHMA22B87AFF","hubId":"hub_01M8MBJKPG44Q8KTV8M7PHMF2N","hubName":"Releases","isHubDeleted":false,"name":"spam","hint":"hub_live_…hlmb","scopes":["messages:create","notes:create","todos:create"],"state":"revoked","generation":1,"successorId":"key_01M8MBJM2840CYQ22TG7JZ0WGQ","createdAt":"2026-11-29T19:12:43.046Z","createdBy":{"kind":"local","name":"local admin"},"isIssuerGone":false,"overlapEndsAt":"2026-11-30T19:12:43.079Z","revokedAt":"2026-11-29T19:12:43.087Z","lastUsedAddress":"127.0.0.1","requestCount":1,"postCount":1,"unusedScopes":["notes:create","todos:create"]},{"id":"key_01M8MBJM1372MBCMH5VCWBBJA5","hubId":"hub_01M8MBJKPG44Q8KTV8M7PHMF2N","hubName":"Releases","isHubDeleted":false,"name":"ci","description":"Releases","link":"https://ci.example.org","hint":"hub_live_…JFnU","scopes":["messages:create","notes:create","todos:create"],"state":"active","generation":1,"createdAt":"2026-11-29T19:12:43.042Z","createdBy":{"kind":"local","name":"local admin"},"isIssuerGone":false,"lastUsedAddress":"127.0.0.1","requestCount":3,"postCount":3,"unusedScopes":[]}]},"audit":["hub.deleted hub_01M8MBJKPNAPKP68AKY3KXVN17","user.invited lnk_01M8MBJMC093D1SM12YCCDB7VD","user.disabled usr_01M8MBJKW4FEP6BF5FY3HEJT4D","factor.added fac_01M8MBJMBME8GR9RHXDND7ZKRE","session.started ses_01M8MBJMATD864X9Y4R7H5QCE1","hub.changed hub_01M8MBJKPG44Q8KTV8M7PHMF2N","item.deleted msg_01M8MBJM6G1XFMDCS64668XC4R","key.revoked key_01M8MBJM16FTNJTHMA22B87AFF","key.rotated key_01M8MBJM16FTNJTHMA22B87AFF","posts.removed key_01M8MBJM16FTNJTHMA22B87AFF","key.issued key_01M8MBJM16FTNJTHMA22B87AFF","key.issued key_01M8MBJM1372MBCMH5VCWBBJA5","token.created pat_01M8MBJM0XFZN8D6VA15KPW8B8","session.started ses_01M8MBJM0K5R432071GJQ9M8X4","session.started ses_01M8MBJKZ9F1EF1X0K2W46ZZDB","member.added usr_01M8MBJKTTDP9M309652SW1443","member.added usr_01M8MBJKS88E3J5C6DV5D18FEK","user.created usr_01M8MBJKW4FEP6BF5FY3HEJT4D","user.created usr_01M8MBJKTTDP9M309652SW1443","user.created usr_01M8MBJKS88E3J5C6DV5D18FEK","hub.created hub_01M8MBJKPNAPKP68AKY3KXVN17","hub.created hub_01M8MBJKPG44Q8KTV8M7PHMF2N","link.created lnk_01M8MBJKN4AJS62MH6DBFG25ZG"]},"files":{"files/6G/file_01M8MBJM2R532HRDJ261BPK86G":"built"}}
CREATE TABLE __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric);
INSERT INTO __drizzle_migrations (hash,created_at) VALUES
('6b6415d6e1db5d5e5f31868de4c2411a14bbf033c00dba0743f40814bacf2274',1795462159592);
INSERT INTO workspace (id,bot_id,bot_name,epoch,created_at,name,members_manage_keys,second_factor,counted_global_seq,file_bytes,run_id) VALUES
(1,'bot_01M8MBJKHWAFSDTVYCYA7Q2AAA','Bot','epoch_01M8MBJKHWAFSDTVYCYA7Q2AAB',1795979562556,'Hub',1,'optional',4,5,'run_01M8MBJKHYA0WEG03DSD0FHKJX');
INSERT INTO users (id,email,name,caseless_name,skeleton_name,role,password_hash,created_at,last_seen_at) VALUES
('usr_01M8MBJKS88E3J5C6DV5D18FEK','ada@example.org','Ada Lovelace','ada lovelace','ada lovelace','owner','$argon2id$v=19$m=19456,t=2,p=1$QWQx8qQtM+PyyXas+ceQ5cpjFJb3unufnyldfwjGgOY$vXS/CocTKyFZgCzMQjzqpWhd0cSmdfVrEAnrMp1yVMQ',1795979562792,1795979563405),
('usr_01M8MBJKTTDP9M309652SW1443','bob@example.org','Bob Kahn','bob kahn','bob kahn','member','$argon2id$v=19$m=19456,t=2,p=1$MrlsZJILghxuNzVrYKk2P7F78ssjEsT9AUnQo2t8ZtE$mC3pe78iTEVGcppOtmNIaWnXovgYGcbWmZLmV1RMcVk',1795979562842,1795979563132);
INSERT INTO users (id,email,name,caseless_name,skeleton_name,role,password_hash,created_at,disabled_at,last_seen_at) VALUES
('usr_01M8MBJKW4FEP6BF5FY3HEJT4D','eve@example.org','Eve','eve','eve','member','$argon2id$v=19$m=19456,t=2,p=1$ZYUe0Qgi9TDfk8QMjF24dpG7E/62PR7iKEAQCKLDQXQ$Gjgv5nmmodTKiwCVvmJvbxHtHwJarJF7bbbpQrp57SM',1795979562884,1795979563388,1795979563356);
INSERT INTO hubs (number,id,name,normalized_name,topic,conversation_id,notes_bucket_id,todos_bucket_id,seq,item_count,created_at,retention_days) VALUES
(1,'hub_01M8MBJKPG44Q8KTV8M7PHMF2N','Releases','releases','What we ship','cnv_01M8MBJKPG44Q8KTV8M7PHMF2P','bkt_01M8MBJKPG44Q8KTV8M7PHMF2Q','bkt_01M8MBJKPG44Q8KTV8M7PHMF2R',22,8,1795979562704,36500);
INSERT INTO hubs (number,id,name,normalized_name,conversation_id,notes_bucket_id,todos_bucket_id,seq,item_count,created_at,deleted_at) VALUES
(2,'hub_01M8MBJKPNAPKP68AKY3KXVN17','Deleted','deleted','cnv_01M8MBJKPNAPKP68AKY3KXVN18','bkt_01M8MBJKPNAPKP68AKY3KXVN19','bkt_01M8MBJKPNAPKP68AKY3KXVN1A',1,0,1795979562709,1795979563396);
INSERT INTO memberships (hub_id,user_id,joined_at,read_seq,read_global_seq,note_read_seq,note_read_global_seq,todo_read_seq,todo_read_global_seq,read_version,is_favorite) VALUES
('hub_01M8MBJKPG44Q8KTV8M7PHMF2N','usr_01M8MBJKS88E3J5C6DV5D18FEK',1795979562891,3,1,3,0,3,0,0,1),
('hub_01M8MBJKPG44Q8KTV8M7PHMF2N','usr_01M8MBJKTTDP9M309652SW1443',1795979562901,2,0,2,0,2,0,0,0);
INSERT INTO sessions (id,token_hash,user_id,created_at,last_used_at,expires_at,address,user_agent) VALUES
('ses_01M8MBJKZ9F1EF1X0K2W46ZZDB',X'D379F5E674B95C4DDC426F7F2DCB72ADB8468AFD4F96989979B4E991EA51ED20','usr_01M8MBJKS88E3J5C6DV5D18FEK',1795979562985,1795979563032,1798571563032,'127.0.0.1','Bun/1.4.5'),
('ses_01M8MBJM0K5R432071GJQ9M8X4',X'4E5B8070A6A1C1737DC44D9EE3113EC24442B938D4354CB9D05AD3FB07AEA861','usr_01M8MBJKTTDP9M309652SW1443',1795979563027,1795979563132,1798571563132,'127.0.0.1','Bun/1.4.5');
INSERT INTO personal_tokens (id,token_hash,last_four,user_id,name,created_at,last_used_at,last_used_address) VALUES
('pat_01M8MBJM0XFZN8D6VA15KPW8B8',X'5cf9f135810373513604894640957fb3dec6ec78eb9de9bd13aabaabbd3e3dce','DQDO','usr_01M8MBJKS88E3J5C6DV5D18FEK','hubctl',1795979563037,1795979563405,'127.0.0.1');
INSERT INTO factors (id,user_id,kind,name,created_at,key,counter) VALUES
('fac_01M8MBJMBME8GR9RHXDND7ZKRE','usr_01M8MBJKW4FEP6BF5FY3HEJT4D','totp','Phone',1795979563380,X'4F86525377362383D09B6C3FCE7DBD9DFABEBDDB',59865985);
INSERT INTO recovery_codes (user_id,hash) VALUES
('usr_01M8MBJKW4FEP6BF5FY3HEJT4D',X'6C81DED83C217F14E3B869063106EBECD446E6E82ED292F4016970D2BDA12899'),
('usr_01M8MBJKW4FEP6BF5FY3HEJT4D',X'87196C6CCF070661CC3E70DF5D0869C8E94B078BD111E8667E9ECAA3F820365A'),
('usr_01M8MBJKW4FEP6BF5FY3HEJT4D',X'E9E374AEBD577834BA58F45BE1D39F9BC05DB188AC3CEE02F9B937276ECE8708'),
('usr_01M8MBJKW4FEP6BF5FY3HEJT4D',X'25C04D419EBE1C3EC99E24FB5B59E8EAA0835780C179AF2517635A5EAF0F88AE'),
('usr_01M8MBJKW4FEP6BF5FY3HEJT4D',X'C94F7120C89B01D0B0E6E9485113695A9C2BD664CD760E9F17048E4F55424AD1'),
('usr_01M8MBJKW4FEP6BF5FY3HEJT4D',X'2F47B2D9ABF81A55D7249DCD41DE32D7D01FBDC1CFFC888B0C01E2C7D38214DA'),
('usr_01M8MBJKW4FEP6BF5FY3HEJT4D',X'AE4D42771689CE8103B87ADFEF7F8547AF571E7941FB36BF93547BD079A71BF6'),
('usr_01M8MBJKW4FEP6BF5FY3HEJT4D',X'B9FD99BD159EAE0EE636CF45D1ED8A0BD5A17BD3BF86A0F1D39B86D65AFECF73'),
('usr_01M8MBJKW4FEP6BF5FY3HEJT4D',X'78A604708A92FE45AFFC1E3B7D4B6C473AB93FE8CA8F0D1625EF1022F201A6A7'),
('usr_01M8MBJKW4FEP6BF5FY3HEJT4D',X'26BC715A11F501B573F5F735077449398547A1A16AA94C173DC0716B7724C3E1');
INSERT INTO links (id,token_hash,kind,email,role,hub_ids,created_at,created_by_kind,created_by_name,expires_at) VALUES
('lnk_01M8MBJMC093D1SM12YCCDB7VD',X'C618D888F6F6EA342CED840726CB9C2E8877A69F5D5035A2F44AE49178D581DC','invitation','dan@example.org','member','["hub_01M8MBJKPG44Q8KTV8M7PHMF2N"]',1795979563392,'local','local admin',1796584363392);
INSERT INTO api_keys (id,hub_id,name,description,link,token_hash,last_four,scopes,generation,created_at,created_by_kind,created_by_name,last_used_at,last_used_address,request_count,post_count,used_kinds,counted_global_seq) VALUES
('key_01M8MBJM1372MBCMH5VCWBBJA5','hub_01M8MBJKPG44Q8KTV8M7PHMF2N','ci','Releases','https://ci.example.org',X'80cb3a90340f7d03915749c319436326b6d60f742f1caeea7287bb418bac05c9','JFnU','messages:create notes:create todos:create',1,1795979563042,'local','local admin',1795979563059,'127.0.0.1',3,3,7,4);
INSERT INTO api_keys (id,hub_id,name,token_hash,last_four,scopes,generation,successor_id,created_at,created_by_kind,created_by_name,overlap_ends_at,revoked_at,last_used_at,last_used_address,request_count,post_count,used_kinds,counted_global_seq) VALUES
('key_01M8MBJM16FTNJTHMA22B87AFF','hub_01M8MBJKPG44Q8KTV8M7PHMF2N','spam',X'0F925CC61C6FC0598C0F1DE1413F9DCA38B53E4154CA370E316A00A6BF0B4364','hlmb','messages:create notes:create todos:create',1,'key_01M8MBJM2840CYQ22TG7JZ0WGQ',1795979563046,'local','local admin',1796065963079,1795979563087,1795979563062,'127.0.0.1',1,1,1,4);
INSERT INTO api_keys (id,hub_id,name,token_hash,last_four,scopes,generation,predecessor_id,created_at,created_by_kind,created_by_name,request_count,post_count,used_kinds,counted_global_seq) VALUES
('key_01M8MBJM2840CYQ22TG7JZ0WGQ','hub_01M8MBJKPG44Q8KTV8M7PHMF2N','spam',X'5E745965E8D9054565D8C58F11DB6BFE65CF62463E70E59197338E704E34CA98','LzzV','messages:create notes:create todos:create',2,'key_01M8MBJM16FTNJTHMA22B87AFF',1795979563079,'local','local admin',0,0,0,0);
INSERT INTO key_days (key_id,day,requests,posts,blocks) VALUES
('key_01M8MBJM1372MBCMH5VCWBBJA5',20786,3,3,0),
('key_01M8MBJM16FTNJTHMA22B87AFF',20786,1,1,0);
INSERT INTO key_addresses (key_id,address,last_used_at,requests) VALUES
('key_01M8MBJM1372MBCMH5VCWBBJA5','127.0.0.1',1795979563059,3),
('key_01M8MBJM16FTNJTHMA22B87AFF','127.0.0.1',1795979563062,1);
INSERT INTO items (global_seq,id,hub_number,kind,seq,created_at,author_kind,author_id,key_id,address,request_id,blocks,reply_count,version) VALUES
(1,'msg_01M8MBJM1DFQSBQG4FMM18C8W1',1,'message',3,1795979563053,'bot','bot_01M8MBJKHWAFSDTVYCYA7Q2AAA','key_01M8MBJM1372MBCMH5VCWBBJA5','127.0.0.1','req_01M8MBJM1718C6CPN3ZD94ZMQM','[{"type":"header","data":{"text":"Über <b>1</b> 🚀","level":2}}]',0,1);
INSERT INTO items (global_seq,id,hub_number,kind,seq,created_at,author_kind,author_id,key_id,address,request_id,title,body,reply_count,version) VALUES
(2,'note_01M8MBJM1J4KYK4SV2258HDYVC',1,'note',4,1795979563058,'bot','bot_01M8MBJKHWAFSDTVYCYA7Q2AAA','key_01M8MBJM1372MBCMH5VCWBBJA5','127.0.0.1','req_01M8MBJM1G5XWZYPKHZZWGJC7J','Changes','It''s *faster*',0,1);
INSERT INTO items (global_seq,id,hub_number,kind,seq,created_at,author_kind,author_id,key_id,address,request_id,title,due_at,priority,status,reply_count,version) VALUES
(3,'todo_01M8MBJM1N5M1Z3515ZKCWTJFR',1,'todo',5,1795979563061,'bot','bot_01M8MBJKHWAFSDTVYCYA7Q2AAA','key_01M8MBJM1372MBCMH5VCWBBJA5','127.0.0.1','req_01M8MBJM1K0XK81YAC1NP99S5C','Renew',1796115600000,'HIGH','open',0,1);
INSERT INTO items (global_seq,id,hub_number,kind,seq,created_at,author_kind,author_id,key_id,address,request_id,body,reply_count,version,deleted_at,removal_id) VALUES
(4,'msg_01M8MBJM1P0ZYP413DRECFVAD0',1,'message',6,1795979563062,'bot','bot_01M8MBJKHWAFSDTVYCYA7Q2AAA','key_01M8MBJM16FTNJTHMA22B87AFF','127.0.0.1','req_01M8MBJM1P0ZYP413DRECFVACZ','removed',0,1,1795979563071,'rmv_01M8MBJM1Z7FBXAJ0JVDPKFFFE');
INSERT INTO items (global_seq,id,hub_number,kind,seq,created_at,author_kind,author_id,body,files,reply_count,last_reply_at,version) VALUES
(5,'msg_01M8MBJM390CVMN2DZX0FF1QTG',1,'message',8,1795979563113,'user','usr_01M8MBJKS88E3J5C6DV5D18FEK','Ready, @Bob Kahn?','[{"id":"file_01M8MBJM2R532HRDJ261BPK86G","name":"build.log","size":5,"contentType":"application/octet-stream"}]',1,1795979563143,1);
INSERT INTO items (global_seq,id,hub_number,kind,seq,created_at,author_kind,author_id,body,parent_id,reply_count,conversion_id,conversion_kind,version) VALUES
(6,'msg_01M8MBJM47A4N39HFJP9V0AVQ0',1,'reply',9,1795979563143,'user','usr_01M8MBJKTTDP9M309652SW1443','Yes','msg_01M8MBJM390CVMN2DZX0FF1QTG',0,'todo_01M8MBJM5T0BF7GR259HAP7CT5','todo',1);
INSERT INTO items (global_seq,id,hub_number,kind,seq,created_at,author_kind,author_id,title,status,assignee_id,finished_at,finished_by_id,reply_count,source_id,version) VALUES
(7,'todo_01M8MBJM5T0BF7GR259HAP7CT5',1,'todo',13,1795979563194,'user','usr_01M8MBJKS88E3J5C6DV5D18FEK','Yes','done','usr_01M8MBJKTTDP9M309652SW1443',1795979563202,'usr_01M8MBJKTTDP9M309652SW1443',0,'msg_01M8MBJM47A4N39HFJP9V0AVQ0',2);
INSERT INTO items (global_seq,id,hub_number,kind,seq,created_at,author_kind,author_id,body,finished_at,finished_by_id,question,reply_count,version) VALUES
(8,'msg_01M8MBJM661C5CGGWT9A3QGDVE',1,'message',16,1795979563206,'user','usr_01M8MBJKS88E3J5C6DV5D18FEK','Deploy?',1795979563213,'usr_01M8MBJKTTDP9M309652SW1443','{"choices":["yes","no"],"answerBy":null,"expiresAt":1795980163206,"choice":"yes"}',0,1);
INSERT INTO items (global_seq,id,hub_number,kind,seq,created_at,author_kind,author_id,body,reply_count,version,deleted_at,deleted_by_id) VALUES
(9,'msg_01M8MBJM6G1XFMDCS64668XC4R',1,'message',18,1795979563217,'user','usr_01M8MBJKS88E3J5C6DV5D18FEK','deleted',0,1,1795979563230,'usr_01M8MBJKS88E3J5C6DV5D18FEK');
INSERT INTO items (global_seq,id,hub_number,kind,seq,created_at,author_kind,author_id,body,reply_count,version,edited_at,edited_by_kind,edited_by_id) VALUES
(10,'note_01M8MBJM74BDYKBTH3A4A1C1FP',1,'note',20,1795979563236,'user','usr_01M8MBJKS88E3J5C6DV5D18FEK','Final',0,2,1795979563244,'user','usr_01M8MBJKTTDP9M309652SW1443');
INSERT INTO events (hub_number,seq,at,event,data) VALUES
(1,1,1795979562891,'member.added','{"id":"usr_01M8MBJKS88E3J5C6DV5D18FEK","name":"Ada Lovelace"}'),
(1,2,1795979562901,'member.added','{"id":"usr_01M8MBJKTTDP9M309652SW1443","name":"Bob Kahn"}'),
(1,12,1795979563174,'hub.changed','{"name":"Releases","topic":null,"retentionDays":null,"pinnedIds":["msg_01M8MBJM390CVMN2DZX0FF1QTG"]}'),
(1,22,1795979563250,'hub.changed','{"name":"Releases","topic":"What we ship","retentionDays":36500}'),
(2,1,1795979563396,'hub.deleted','{"name":"Deleted"}');
INSERT INTO events (hub_number,seq,at,event,item_id) VALUES
(1,3,1795979563053,'message.created','msg_01M8MBJM1DFQSBQG4FMM18C8W1'),
(1,4,1795979563058,'note.created','note_01M8MBJM1J4KYK4SV2258HDYVC'),
(1,5,1795979563061,'todo.created','todo_01M8MBJM1N5M1Z3515ZKCWTJFR'),
(1,6,1795979563062,'message.created','msg_01M8MBJM1P0ZYP413DRECFVAD0'),
(1,7,1795979563071,'message.deleted','msg_01M8MBJM1P0ZYP413DRECFVAD0'),
(1,8,1795979563113,'message.created','msg_01M8MBJM390CVMN2DZX0FF1QTG'),
(1,9,1795979563143,'message.created','msg_01M8MBJM47A4N39HFJP9V0AVQ0'),
(1,10,1795979563143,'message.changed','msg_01M8MBJM390CVMN2DZX0FF1QTG'),
(1,11,1795979563166,'message.changed','msg_01M8MBJM390CVMN2DZX0FF1QTG'),
(1,13,1795979563194,'todo.created','todo_01M8MBJM5T0BF7GR259HAP7CT5'),
(1,14,1795979563194,'message.changed','msg_01M8MBJM47A4N39HFJP9V0AVQ0'),
(1,15,1795979563202,'todo.changed','todo_01M8MBJM5T0BF7GR259HAP7CT5'),
(1,16,1795979563206,'message.created','msg_01M8MBJM661C5CGGWT9A3QGDVE'),
(1,17,1795979563213,'message.changed','msg_01M8MBJM661C5CGGWT9A3QGDVE'),
(1,18,1795979563217,'message.created','msg_01M8MBJM6G1XFMDCS64668XC4R'),
(1,19,1795979563230,'message.deleted','msg_01M8MBJM6G1XFMDCS64668XC4R'),
(1,20,1795979563236,'note.created','note_01M8MBJM74BDYKBTH3A4A1C1FP'),
(1,21,1795979563244,'note.changed','note_01M8MBJM74BDYKBTH3A4A1C1FP');
INSERT INTO reactions (item_id,emoji,user_id,at) VALUES
('msg_01M8MBJM390CVMN2DZX0FF1QTG','👍','usr_01M8MBJKTTDP9M309652SW1443',1795979563166);
INSERT INTO mentions (user_id,item_global_seq,item_id,hub_id,kind,is_named,is_answered,is_unread) VALUES
('usr_01M8MBJKTTDP9M309652SW1443',5,'msg_01M8MBJM390CVMN2DZX0FF1QTG','hub_01M8MBJKPG44Q8KTV8M7PHMF2N','message',1,0,1),
('usr_01M8MBJKS88E3J5C6DV5D18FEK',6,'msg_01M8MBJM47A4N39HFJP9V0AVQ0','hub_01M8MBJKPG44Q8KTV8M7PHMF2N','reply',0,1,1);
INSERT INTO files (id,hub_id,name,size,content_type,sha256,created_at,item_id) VALUES
('file_01M8MBJM2R532HRDJ261BPK86G','hub_01M8MBJKPG44Q8KTV8M7PHMF2N','build.log',5,'application/octet-stream','586a866f990ab55e36decfffc2011f172e4452d5141c939a5436baffba11111d',1795979563101,'msg_01M8MBJM390CVMN2DZX0FF1QTG');
INSERT INTO pins (item_id,hub_id,pinned_at,pinned_by_id) VALUES
('msg_01M8MBJM390CVMN2DZX0FF1QTG','hub_01M8MBJKPG44Q8KTV8M7PHMF2N',1795979563174,'usr_01M8MBJKS88E3J5C6DV5D18FEK');
INSERT INTO todo_changes (item_id,version,field,value,at,by_id) VALUES
('todo_01M8MBJM5T0BF7GR259HAP7CT5',2,'status','done',1795979563202,'usr_01M8MBJKTTDP9M309652SW1443');
INSERT INTO removals (id,key_id,hub_id,count,removed_at) VALUES
('rmv_01M8MBJM1Z7FBXAJ0JVDPKFFFE','key_01M8MBJM16FTNJTHMA22B87AFF','hub_01M8MBJKPG44Q8KTV8M7PHMF2N',1,1795979563071);
INSERT INTO audit_entries (id,at,actor_kind,actor_name,address,action,target_id,details) VALUES
('aud_01M8MBJKN6F04TMWMDPEKZ3DVY',1795979562662,'server','server','local','link.created','lnk_01M8MBJKN4AJS62MH6DBFG25ZG','{"kind":"setup"}');
INSERT INTO audit_entries (id,at,actor_kind,actor_name,address,action,hub_id,target_id,target_name,details) VALUES
('aud_01M8MBJKPJ2RMFC3PDQECN808C',1795979562706,'local','local admin','local','hub.created','hub_01M8MBJKPG44Q8KTV8M7PHMF2N','hub_01M8MBJKPG44Q8KTV8M7PHMF2N','Releases','{}'),
('aud_01M8MBJKPNAPKP68AKY3KXVN1B',1795979562709,'local','local admin','local','hub.created','hub_01M8MBJKPNAPKP68AKY3KXVN17','hub_01M8MBJKPNAPKP68AKY3KXVN17','Deleted','{}'),
('aud_01M8MBJKWB6Q17K2W92G6DSAX5',1795979562891,'local','local admin','local','member.added','hub_01M8MBJKPG44Q8KTV8M7PHMF2N','usr_01M8MBJKS88E3J5C6DV5D18FEK','Ada Lovelace','{}'),
('aud_01M8MBJKWNAF5JBJZCYCQC4H9B',1795979562901,'local','local admin','local','member.added','hub_01M8MBJKPG44Q8KTV8M7PHMF2N','usr_01M8MBJKTTDP9M309652SW1443','Bob Kahn','{}'),
('aud_01M8MBJM14EJYBTG9Z1EA9J6VC',1795979563044,'local','local admin','local','key.issued','hub_01M8MBJKPG44Q8KTV8M7PHMF2N','key_01M8MBJM1372MBCMH5VCWBBJA5','ci','{"scopes":["messages:create","notes:create","todos:create"],"expiresAt":null}'),
('aud_01M8MBJM16FTNJTHMA22B87AFG',1795979563046,'local','local admin','local','key.issued','hub_01M8MBJKPG44Q8KTV8M7PHMF2N','key_01M8MBJM16FTNJTHMA22B87AFF','spam','{"scopes":["messages:create","notes:create","todos:create"],"expiresAt":null}'),
('aud_01M8MBJM20AET8X9XFAN82BR8P',1795979563072,'local','local admin','local','posts.removed','hub_01M8MBJKPG44Q8KTV8M7PHMF2N','key_01M8MBJM16FTNJTHMA22B87AFF','spam','{"removalId":"rmv_01M8MBJM1Z7FBXAJ0JVDPKFFFE","from":null,"to":null,"count":1}'),
('aud_01M8MBJM293FNQCQMMY0C6SSB3',1795979563081,'local','local admin','local','key.rotated','hub_01M8MBJKPG44Q8KTV8M7PHMF2N','key_01M8MBJM16FTNJTHMA22B87AFF','spam','{"successorId":"key_01M8MBJM2840CYQ22TG7JZ0WGQ","expiresAt":null,"overlapEndsAt":"2026-11-30T19:12:43.079Z"}'),
('aud_01M8MBJM2G3NC8HF9Y01TR7SGE',1795979563087,'local','local admin','local','key.revoked','hub_01M8MBJKPG44Q8KTV8M7PHMF2N','key_01M8MBJM16FTNJTHMA22B87AFF','spam','{"successorId":"key_01M8MBJM2840CYQ22TG7JZ0WGQ"}'),
('aud_01M8MBJMC55ZFN4KNE5SMGS071',1795979563396,'local','local admin','local','hub.deleted','hub_01M8MBJKPNAPKP68AKY3KXVN17','hub_01M8MBJKPNAPKP68AKY3KXVN17','Deleted','{}');
INSERT INTO audit_entries (id,at,actor_kind,actor_name,address,action,target_id,target_name,details) VALUES
('aud_01M8MBJKSHBRPF7NYQWF1BNSS0',1795979562801,'local','local admin','local','user.created','usr_01M8MBJKS88E3J5C6DV5D18FEK','Ada Lovelace','{"email":"ada@example.org","role":"owner"}'),
('aud_01M8MBJKTV05XJR6PH2H2YQ2PQ',1795979562843,'local','local admin','local','user.created','usr_01M8MBJKTTDP9M309652SW1443','Bob Kahn','{"email":"bob@example.org","role":"member"}'),
('aud_01M8MBJKW533V06VY3GA4TCN91',1795979562885,'local','local admin','local','user.created','usr_01M8MBJKW4FEP6BF5FY3HEJT4D','Eve','{"email":"eve@example.org","role":"member"}'),
('aud_01M8MBJMBX92TC4C84B9STN7XG',1795979563389,'local','local admin','local','user.disabled','usr_01M8MBJKW4FEP6BF5FY3HEJT4D','Eve','{}'),
('aud_01M8MBJMC14W5E335Q2E7AE204',1795979563393,'local','local admin','local','user.invited','lnk_01M8MBJMC093D1SM12YCCDB7VD','dan@example.org','{"role":"member","hubIds":["hub_01M8MBJKPG44Q8KTV8M7PHMF2N"]}');
INSERT INTO audit_entries (id,at,actor_kind,actor_id,actor_name,address,action,target_id,details) VALUES
('aud_01M8MBJKZB21EJHA2675SSKKYM',1795979562987,'user','usr_01M8MBJKS88E3J5C6DV5D18FEK','Ada Lovelace','127.0.0.1','session.started','ses_01M8MBJKZ9F1EF1X0K2W46ZZDB','{"userAgent":"Bun/1.4.5"}'),
('aud_01M8MBJM0M1SJF3E8QDGMYGRM4',1795979563028,'user','usr_01M8MBJKTTDP9M309652SW1443','Bob Kahn','127.0.0.1','session.started','ses_01M8MBJM0K5R432071GJQ9M8X4','{"userAgent":"Bun/1.4.5"}'),
('aud_01M8MBJMATD864X9Y4R7H5QCE2',1795979563354,'user','usr_01M8MBJKW4FEP6BF5FY3HEJT4D','Eve','127.0.0.1','session.started','ses_01M8MBJMATD864X9Y4R7H5QCE1','{"userAgent":"Bun/1.4.5"}');
INSERT INTO audit_entries (id,at,actor_kind,actor_id,actor_name,address,action,target_id,target_name,details) VALUES
('aud_01M8MBJM0XFZN8D6VA15KPW8B9',1795979563037,'user','usr_01M8MBJKS88E3J5C6DV5D18FEK','Ada Lovelace','127.0.0.1','token.created','pat_01M8MBJM0XFZN8D6VA15KPW8B8','hubctl','{"expiresAt":null}'),
('aud_01M8MBJMBNFCNZQSRP771RBZVB',1795979563381,'user','usr_01M8MBJKW4FEP6BF5FY3HEJT4D','Eve','127.0.0.1','factor.added','fac_01M8MBJMBME8GR9RHXDND7ZKRE','Phone','{"kind":"totp"}');
INSERT INTO audit_entries (id,at,actor_kind,actor_id,actor_name,address,action,hub_id,target_id,details) VALUES
('aud_01M8MBJM6YFWMTDSRDYX3ZBV8P',1795979563230,'user','usr_01M8MBJKS88E3J5C6DV5D18FEK','Ada Lovelace','127.0.0.1','item.deleted','hub_01M8MBJKPG44Q8KTV8M7PHMF2N','msg_01M8MBJM6G1XFMDCS64668XC4R','{"kind":"message"}');
INSERT INTO audit_entries (id,at,actor_kind,actor_id,actor_name,address,action,hub_id,target_id,target_name,details) VALUES
('aud_01M8MBJM7KEHPZV956BACH1N5R',1795979563250,'user','usr_01M8MBJKS88E3J5C6DV5D18FEK','Ada Lovelace','127.0.0.1','hub.changed','hub_01M8MBJKPG44Q8KTV8M7PHMF2N','hub_01M8MBJKPG44Q8KTV8M7PHMF2N','Releases','{"topic":"What we ship","formerTopic":null,"retentionDays":36500,"formerRetentionDays":null}'),
('aud_01M8MBJMCW4JNW03S4SVDNB3QS',1795979563420,'user','usr_01M8MBJKS88E3J5C6DV5D18FEK','Ada Lovelace','127.0.0.1','hub.exported','hub_01M8MBJKPG44Q8KTV8M7PHMF2N','hub_01M8MBJKPG44Q8KTV8M7PHMF2N','Releases','{}');
INSERT INTO notification_modes (user_id,target_id,hub_id,mode) VALUES
('usr_01M8MBJKS88E3J5C6DV5D18FEK','hub_01M8MBJKPG44Q8KTV8M7PHMF2N','hub_01M8MBJKPG44Q8KTV8M7PHMF2N','muted'),
('usr_01M8MBJKS88E3J5C6DV5D18FEK','key_01M8MBJM1372MBCMH5VCWBBJA5','hub_01M8MBJKPG44Q8KTV8M7PHMF2N','every');
INSERT INTO notification_settings (user_id,mentions,assignments,replies,mention_mail,mailed_global_seq) VALUES
('usr_01M8MBJKS88E3J5C6DV5D18FEK',1,1,0,0,0);
INSERT INTO push_identity (id,public_key,private_key) VALUES
(1,X'049AE0DC900D55ED8AEC6472EADFA43CA86DD26B8A1697D25B6E215E0D2B5A4D8F37B82149107016766FB84B3C786BE01B9B0230DFE19C525F8DA4814680C68E26',X'02472789248FC70DCA929002F75DC60C0B75ECAD16639224EFFF7EF278294702');
INSERT INTO push_subscriptions (session_id,user_id,endpoint,p256dh,auth,origin,created_at) VALUES
('ses_01M8MBJKZ9F1EF1X0K2W46ZZDB','usr_01M8MBJKS88E3J5C6DV5D18FEK','https://push.example.net/1',X'042571B2BECDFDE360551AAF1ED0F4CD366C11CEBE555F89BCB7B186A53339173168ECE2EBE018597BD30479B86E3C8F8ECED577CA59187E9246990DB682008B0E',X'05305932A1C7EABE13B6CEC9FDA48882','http://127.0.0.1:43125',1795979563285);
INSERT INTO touched_items (id,global_seq,at) VALUES
(1,4,1795979563071),
(2,7,1795979563202),
(3,9,1795979563230),
(4,10,1795979563244);
