#!/bin/sh
# Checks a Decklog evidence file by the texts beside this one, a third time, where nothing but a POSIX shell,
# od and awk is at hand:
#
#     sh check.sh GAME.decklog [VKEY]
#
# VKEY: the service's root key. What it does: the files against the manifest, the chain of events, openings against
# seals, orders against their digests, every link and every die, the log's proof. SHA-256 is written out below, and
# so it takes its time: seconds for a short game, a minute for a long one. MASTER=yes sh check.sh ... also makes the
# chains again out of the master, 4,096 links of each. Signatures need openssl (3.0 or later): where it is not there
# the script says that they are not checked. Not checked: whether JSON is in its one form where nothing hashes it,
# signatures of orders, how the log grew; check.py does that. Not made for files that are to exhaust it.
set -eu
LC_ALL=C
export LC_ALL
[ $# -ge 1 ] || { echo "usage: sh check.sh GAME.decklog [VKEY]" >&2; exit 2; }
file=$1 root=${2:-} openssl=${OPENSSL:-openssl}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

od -An -v -tu1 "$file" | awk -v file="$file" -v root="$root" -v made="${MASTER:-}" -v signatures="$work/signatures" '
{ for (i = 1; i <= NF; i++) B[size++] = $i + 0 }

# 1. Bytes are hexadecimal text; those of the file are numbers, B[0] to B[size - 1].

function wrong(what) { print file ": WRONG: " what; failed = 1; exit 1 }
function need(fits, what) { if (!fits) wrong(what) }
function say(what) { print file ": " what }
function u(value, bytes,  out) { for (; bytes; bytes--) { out = HEX[value % 256] out; value = int(value / 256) } return out }
function lp(hex) { return u(length(hex) / 2, 4) hex }
function hexed(text,  i, out) { for (i = 1; i <= length(text); i++) out = out u(ORD[substr(text, i, 1)], 1); return out }
function chars(from, end,  i, out) { for (i = from; i < end; i++) out = out CHR[B[i]]; return out }

# 2. SHA-256 (FIPS 180-4). awk has no operations on bits: two bytes are joined by tables.

function tables(  i, j, k, n, p, root3, root2) {
  for (i = 0; i < 256; i++) { CHR[i] = sprintf("%c", i); if (i) ORD[CHR[i]] = i; HEX[i] = sprintf("%02x", i); VAL[HEX[i]] = i }
  for (i = 0; i < 16; i++) for (j = 0; j < 16; j++) {
    XOR4[i * 16 + j] = AND4[i * 16 + j] = 0
    for (k = 1; k < 16; k *= 2) {
      AND4[i * 16 + j] += k * (int(i / k) % 2 && int(j / k) % 2)
      XOR4[i * 16 + j] += k * (int(i / k) % 2 != int(j / k) % 2)
    }
  }
  for (i = 0; i < 256; i++) for (j = 0; j < 256; j++) {
    n = int(i / 16) * 16 + int(j / 16); k = i % 16 * 16 + j % 16
    XOR[i * 256 + j] = XOR4[n] * 16 + XOR4[k]; AND[i * 256 + j] = AND4[n] * 16 + AND4[k]
  }
  primes = 0
  for (p = 2; primes < 64; p++) {
    for (i = 2; i * i <= p && p % i; i++);
    if (i * i <= p) continue
    root2 = sqrt(p); root3 = exp(log(p) / 3); root3 -= (root3 * root3 * root3 - p) / (3 * root3 * root3)
    if (primes < 8) START[primes] = int((root2 - int(root2)) * 4294967296)
    ROUND[primes++] = int((root3 - int(root3)) * 4294967296)
  }
}
function high(x) { return int(x / 16777216) }
function middle(x) { return int(x / 65536) % 256 }
function low(x) { return int(x / 256) % 256 }
function xor3(a, b, c) {
  return ((XOR[XOR[high(a) * 256 + high(b)] * 256 + high(c)] * 256 + XOR[XOR[middle(a) * 256 + middle(b)] * 256 + middle(c)]) * 256 \
    + XOR[XOR[low(a) * 256 + low(b)] * 256 + low(c)]) * 256 + XOR[XOR[a % 256 * 256 + b % 256] * 256 + c % 256]
}
function chosen(a, b, c) { return XOR[c + 256 * AND[a * 256 + XOR[b * 256 + c]]] }
function majority(a, b, c) { return XOR[AND[a * 256 + b] * 256 + AND[c * 256 + XOR[a * 256 + b]]] }
function words(a, b, c, most) {
  if (most) return ((majority(high(a), high(b), high(c)) * 256 + majority(middle(a), middle(b), middle(c))) * 256 \
    + majority(low(a), low(b), low(c))) * 256 + majority(a % 256, b % 256, c % 256)
  return ((chosen(high(a), high(b), high(c)) * 256 + chosen(middle(a), middle(b), middle(c))) * 256 \
    + chosen(low(a), low(b), low(c))) * 256 + chosen(a % 256, b % 256, c % 256)
}
function turned(x, n) { return int(x / TWO[n]) + x % TWO[n] * TWO[32 - n] }
function mixed(x, a, b, c) { return xor3(turned(x, a), turned(x, b), turned(x, c)) }

# The message lies in M[0] to M[m - 1].
function put(hex,  i) { for (i = 1; i < length(hex); i += 2) M[m++] = VAL[substr(hex, i, 2)] }
function put_file(from, end) { while (from < end) M[m++] = B[from++] }
function sha(  long, i, at, a, b, c, d, e, f, g, h, one, two, out) {
  long = m * 8; M[m++] = 128
  while (m % 64 != 56) M[m++] = 0
  put(u(int(long / 4294967296), 4) u(long % 4294967296, 4))
  for (i = 0; i < 8; i++) H[i] = START[i]
  for (at = 0; at < m; at += 64) {
    for (i = 0; i < 16; i++) W[i] = ((M[at + 4 * i] * 256 + M[at + 4 * i + 1]) * 256 + M[at + 4 * i + 2]) * 256 + M[at + 4 * i + 3]
    for (; i < 64; i++) W[i] = (W[i - 16] + xor3(turned(W[i - 15], 7), turned(W[i - 15], 18), int(W[i - 15] / 8)) + W[i - 7] + xor3(turned(W[i - 2], 17), turned(W[i - 2], 19), int(W[i - 2] / 1024))) % 4294967296
    a = H[0]; b = H[1]; c = H[2]; d = H[3]; e = H[4]; f = H[5]; g = H[6]; h = H[7]
    for (i = 0; i < 64; i++) {
      one = h + mixed(e, 6, 11, 25) + words(e, f, g, 0) + ROUND[i] + W[i]
      two = mixed(a, 2, 13, 22) + words(a, b, c, 1)
      h = g; g = f; f = e; e = (d + one) % 4294967296; d = c; c = b; b = a; a = (one + two) % 4294967296
    }
    H[0] += a; H[1] += b; H[2] += c; H[3] += d; H[4] += e; H[5] += f; H[6] += g; H[7] += h
    for (i = 0; i < 8; i++) H[i] %= 4294967296
  }
  for (i = 0; i < 8; i++) out = out u(H[i], 4)
  return out
}
function sha_of(hex) { m = 0; put(hex); return sha() }
function th(tag, count, fields) { return sha_of(lp(hexed(tag)) u(count, 4) fields) }
# Of a part of the file as the last field, without a copy of it.
function th_file(tag, count, fields, from, end) { m = 0; put(lp(hexed(tag)) u(count, 4) fields u(end - from, 4)); put_file(from, end); return sha() }
function mac(key, message,  i, inner) {
  m = 0; put(key); while (m < 64) M[m++] = 0
  for (i = 0; i < 64; i++) M[i] = XOR[M[i] * 256 + 54]
  put(message); inner = sha()
  m = 0; put(key); while (m < 64) M[m++] = 0
  for (i = 0; i < 64; i++) M[i] = XOR[M[i] * 256 + 92]
  put(inner); return sha()
}
function hkdf(secret, salt, info) { return mac(mac(salt, secret), info u(1, 1)) }

# 3. JSON: J["data.tips.pub"] is a value, FROM and UPTO where its text stands, J["seats.#"] how many there are.

function json(from, end) { split("", J); split("", FROM); split("", UPTO); p = from; limit = end; value(""); need(p == end, "JSON goes on") }
function value(path,  c, n, name, word, from) {
  from = p; c = B[p]; n = 0; need(p < limit, "JSON is cut off")
  if (c == 123 || c == 91) {
    p++
    if (B[p] == c + 2) p++
    else do {
      if (c == 123) { name = string(); gsub(/\./, "..", name); p++ } else name = n
      value(path == "" ? name : path "." name); n++
    } while (B[p++] == 44 && p < limit)
    need(B[p - 1] == c + 2, "JSON is cut off"); J[path ".#"] = n + 0
  } else if (c == 34) J[path] = string()
  else { while (p < limit && B[p] != 44 && B[p] != 93 && B[p] != 125) word = word CHR[B[p++]]; J[path] = word ~ /^-?[0-9]+$/ ? word + 0 : word }
  FROM[path] = from; UPTO[path] = p
}
function string(  from, out) {
  need(B[p] == 34, "JSON without a string"); from = ++p
  while (B[p] != 34) { p += B[p] == 92 ? 2 : 1; need(p < limit, "a string is cut off") }
  out = chars(from, p); p++; return out
}
function line_end(from, end) { while (from < end && B[from] != 10) from++; return from }

# 4. The container: stored files, one after the other.

function number(at, bytes,  i, out) { for (i = bytes - 1; i >= 0; i--) out = out * 256 + B[at + i]; return out }
function unzip(  at, long, name, before) {
  for (at = 0; number(at, 4) == 67324752; at = LAST[name]) {
    long = number(at + 26, 2); name = chars(at + 30, at + 30 + long)
    need(!number(at + 8, 2) && !number(at + 28, 2) && before < name, "the container: " name)
    FIRST[name] = at + 30 + long; LAST[name] = FIRST[name] + number(at + 22, 4); before = name; files++
  }
  need(("manifest.json" in FIRST) && LAST[before] <= size, "this is no evidence file")
}
function whole(  n, name, listed) {
  json(FIRST["manifest.json"], LAST["manifest.json"])
  game = J["game"]; viewer = J["viewer"]; last = J["head.seq"]; head = J["head.hash"]; listed = J["files.#"]
  for (n = 0; n < listed; n++) {
    name = J["files." n ".name"]; need(name in FIRST, name " is missing")
    m = 0; put_file(FIRST[name], LAST[name]); need(sha() == J["files." n ".sha256"], name " is damaged")
  }
  n = ("manifest.dsse.json" in FIRST) + ("cosigned.dsse.json" in FIRST) + ("receipts.jsonl" in FIRST)
  need(files == listed + 1 + n, "other files than are listed")
  if (n > ("manifest.dsse.json" in FIRST)) say("cosignatures and receipts are not checked here")
  say(listed " files are those of the manifest")
}

# 5. What was sealed, and what was ordered.

function openings(  at, end, n) {
  for (at = FIRST["openings.jsonl"]; at < LAST["openings.jsonl"]; at = end + 1) {
    end = line_end(at, LAST["openings.jsonl"]); json(at, end); n++
    SEAL[J["seq"] " " J["viewer"]] = th_file("nwe1/sealed", 2, lp(J["salt"]), FROM["payload"], UPTO["payload"])
    TOLD[J["seq"] " " J["viewer"]] = FROM["payload"]; ENDED[J["seq"] " " J["viewer"]] = UPTO["payload"]
  }
  say(n + 0 " openings")
}
function commands(  at, end, n) {
  for (at = FIRST["commands.jsonl"]; at < LAST["commands.jsonl"]; at = end + 1) {
    end = line_end(at, LAST["commands.jsonl"]); json(at, end); n++
    CAUSE[J["id"]] = th_file("nwe1/command", 2, lp(J["salt"]), FROM["command"], UPTO["command"])
    BEGINS[J["id"]] = J["first"]; ENDS[J["id"]] = J["last"]
  }
  say(n + 0 " orders")
}

# 6. Dice (dice.md). A chain is of the service and a domain, or of a seat.

function down(link, who, domain, from, to) {
  for (; from > to; from--) link = th("nwd1/link", 5, lp(now) lp(hexed(who)) lp(hexed(domain)) lp(u(from, 4)) lp(link))
  return link
}
function down_seat(link, seat, from, to) {
  for (; from > to; from--) link = th("nwd1/link", 5, lp(now) lp("50" u(seat, 1)) lp("") lp(u(from, 4)) lp(link))
  return link
}
function begin(path, base_,  name, names, n, i, j, fields, far) {
  base = base_; split("", TIP); split("", AT)
  for (name in J) if (index(name, path "tips.") == 1 && name !~ /#$/) { names[++n] = substr(name, length(path) + 6); TIP[names[n]] = J[name] }
  for (i = 2; i <= n; i++) for (j = i; j > 1 && names[j] < names[j - 1]; j--) { name = names[j]; names[j] = names[j - 1]; names[j - 1] = name }
  for (i = 1; i <= n; i++) fields = fields lp(hexed(names[i])) lp(TIP[names[i]])
  need(th("nwd1/server-commit", 1 + 2 * n, lp(now) fields) == J[path "commitment"], "the commitment to the chains")
  if (made != "" && master != "") for (i = 1; i <= n; i++) {
    far = hkdf(master, now, hexed("nwd1/server-chain") lp(hexed(names[i])))
    need(down(far, "S", names[i], long, 0) == TIP[names[i]], "the master: " names[i])
  }
}
function create(  n) {
  long = J["data.params.length"]; seats = J["data.setup.seats.#"]
  G = th("nwd1/params", 5, lp(J["data.params.game"]) lp(J["data.params.rules"]) lp(J["data.params.scenario"]) lp(u(J["data.params.seats"], 1)) lp(u(long, 4)))
  need(G == J["data.params.g"] && J["data.params.game"] == game, "event 1: G")
  for (n = 0; n < seats; n++) { SEAT[n] = J["data.setup.seats." n]; OWN[SEAT[n]] = J["data.seatTips." n] }
  now = first = G; opened = 0; begin("data.", 0)
}
function anew(kind) {
  if (kind == "epoch-started") { split("", BEACON); opened = J["data.epoch"]; first = th("nwd1/epoch", 3, lp(G) lp(u(opened, 4)) lp(J["data.nonce"])) }
  now = J["data.epoch"] == opened ? first : th("nwd1/renewed", 2, lp(first) lp(u(J["data.epoch"], 4)))
  split("", OWN); begin("data.", J["data.first"] - 1)
}
function draw() {
  if (drawn == length(stream)) { need(blocks < 255, "the stream is at its end"); block = mac(key, block info u(++blocks, 1)); stream = block; drawn = 0 }
  drawn += 2; return VAL[substr(stream, drawn - 1, 2)]
}
function roll(path, where,  n, k, sides, limit_, v, pools) {
  info = hexed("nwd1/roll") lp(hexed(J[path "label"])); stream = block = ""; drawn = blocks = 0; pools = J[path "pools.#"]
  need(pools == J[path "faces.#"], where ": " J[path "label"])
  for (n = 0; n < pools; n++) {
    sides = J[path "pools." n ".sides"]; limit_ = sides <= 256 ? 256 : 65536; limit_ -= limit_ % sides
    need(J[path "pools." n ".count"] == J[path "faces." n ".#"], where ": " J[path "label"])
    for (k = 0; k < J[path "pools." n ".count"]; k++) {
      do v = sides <= 256 ? draw() : draw() * 256 + draw(); while (v >= limit_)
      need(1 + v % sides == J[path "faces." n "." k], where ": " J[path "label"])
    }
  }
  rolls++
}
function batch(seq, path,  n, t, link, given, links) {
  link = J[path "link"]; if (link == "") return
  t = J[path "t"]; domain = J[path "domain"]
  need(down(link, "S", domain, t - base, AT[domain] + 0) == TIP[domain], "event " seq ": the link of the service")
  TIP[domain] = link; AT[domain] = t - base
  for (n = 0; n < seats; n++) {
    given = J[path "playerLinks." n]
    if (given != "") {
      need(down_seat(given, n, t - base, AT["seat " SEAT[n]] + 0) == OWN[SEAT[n]], "event " seq ": the link of seat " n)
      OWN[SEAT[n]] = given; AT["seat " SEAT[n]] = t - base
    }
    links = links (given == "" ? "00" : "01" lp(given))
  }
  key = mac(th("nwd1/batch", 3, lp(now) lp(hexed(domain)) lp(u(t, 4))), lp(link) links (t in BEACON ? BEACON[t] : "00"))
  for (n = 0; n < J[path "rolls.#"]; n++) roll(path "rolls." n ".", "event " seq)
  batches++
}
function dice(seq, kind,  told) {
  if (kind == "game-created") create()
  if ((kind == "seat-taken" || kind == "tip-renewed") && J["data.tip"] != "") { OWN[J["data.seat"]] = J["data.tip"]; AT["seat " J["data.seat"]] = 0 }
  if (kind == "epoch-started" || kind == "chain-renewed") anew(kind)
  if (kind == "beacon-seen") { BEACON[J["data.t"]] = "01" u(J["data.round"], 8) lp(sha_of(J["data.signature"])); beacons++ }
  if (kind != "batch-rolled") return
  told = seq " " viewer
  if ((told in TOLD) && ENDED[told] - TOLD[told] > 4) { json(TOLD[told], ENDED[told]); batch(seq, "") } else batch(seq, "data.")
}

# 7. The chain of events.

function chain(  at, end, seq, before, name, cause, found, sealed) {
  before = u(0, 32)
  if ("secrets.json" in FIRST) { json(FIRST["secrets.json"], LAST["secrets.json"]); master = J["master"] }
  for (at = FIRST["events.jsonl"]; at < LAST["events.jsonl"]; at = end + 1) {
    end = line_end(at, LAST["events.jsonl"]); json(at, end); seq++
    need(J["seq"] == seq && J["prev"] == before && J["game"] == game, "event " seq " breaks the chain")
    before = th_file("nwe1/event", 1, "", at, end); final = J["at"]
    for (name in J) if (index(name, "sealed.") == 1 && ((found = seq " " substr(name, 8)) in SEAL)) { need(SEAL[found] == J[name], "event " seq ": " name); sealed++ }
    cause = J["cause.id"]
    if (cause in CAUSE) { need(CAUSE[cause] == J["cause.digest"] && BEGINS[cause] <= seq && seq <= ENDS[cause], "event " seq ": cause"); caused[cause] = 1 }
    if (J["type"] ~ /^decklog\./) dice(seq, substr(J["type"], 9))
  }
  need(seq == last && before == head, "another head")
  for (name in SEAL) sealed--
  need(!sealed, "something is opened that was not sealed")
  for (name in CAUSE) need(name in caused, "order " name " led to nothing")
  say(seq " events hang together; the last is " before)
  say(rolls + 0 " rolls in " batches + 0 " batches, each made again (seats: " seats ")")
  if (beacons) say("that the key of the beacon has signed its rounds is not checked here")
  if (master != "") say(made != "" ? "the master makes the chains" : "whether the master makes the chains is not checked: MASTER=yes asks for it")
}

# 8. The log (log.md), and what openssl is asked for.

function base64(text,  i, n, v, out) {
  for (i = 1; i <= length(text) && substr(text, i, 1) != "="; i++) {
    v = v * 64 + index("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", substr(text, i, 1)) - 1; n += 6
    if (n >= 8) { n -= 8; out = out u(int(v / TWO[n]), 1); v %= TWO[n] }
  }
  return out
}
function logged(  stamps, own, place, n, parts) {
  stamps = ("time/proof.txt" in FIRST) + ("time/stamp.tsr" in FIRST)
  need(stamps != 1 && (!stamps || ("log/proofs.txt" in FIRST)), stamps == 1 ? "half a time stamp" : "a time stamp without a log")
  if (!("log/proofs.txt" in FIRST)) { say("no public log is told of"); return }
  own = proven("log/proofs.txt"); split(own, parts, "\n")
  say("the last event is among the " parts[2] " leaves of " parts[1] "; who signed that head is not checked")
  if (!stamps) return
  place = parts[1]; n = parts[2]; stamps = proven("time/proof.txt"); split(stamps, parts, "\n")
  need(parts[1] == place, "the head that is stamped is of another log")
  need(parts[2] != n || stamps == own, "the head that is stamped has another past")
  say("a head of " parts[2] " leaves is stamped; the stamp is not checked here")
}
# The head of a proof that a log has the last event: its name, its leaves, its root, a line each.
function proven(file_,  lines, n, at, found, size_, index_, last_, other) {
  n = split(chars(FIRST[file_], LAST[file_]), lines, "\n"); index_ = substr(lines[2], 7) + 0
  for (at = 3; at < n && lines[at] != ""; at++);
  size_ = lines[at + 2] + 0; last_ = size_ - 1
  found = sha_of("00" hexed("nwl2 " substr(th("nwl2/tag", 1, lp(game)), 1, 32) " " last " " head) "0a")
  need(lines[1] == "c2sp.org/tlog-proof@v1" && 0 <= index_ && index_ < size_, file_ ": no proof of a log")
  for (n = 3; last_ > 0; last_ = int(last_ / 2)) {
    if (index_ % 2 || index_ < last_) {
      need(n < at, "the proof of the log is too short"); other = base64(lines[n++])
      found = sha_of("01" (index_ % 2 ? other found : found other))
    }
    index_ = int(index_ / 2)
  }
  need(n == at && found == base64(lines[at + 3]), "the log does not have the last event")
  return lines[at + 1] "\n" size_ "\n" lines[at + 3]
}
function ask(what, vkey, name,  n, parts, content) {
  json(FIRST[name], LAST[name]); split(vkey, parts, "+"); content = base64(J["payload"])
  n = base64(substr(vkey, length(parts[1] parts[2]) + 3))
  need(length(n) == 66 && substr(sha_of(hexed(parts[1]) "0a" n), 1, 8) == parts[2], what ": that is no key")
  print what, substr(n, 3), base64(J["signatures.0.sig"]), hexed("DSSEv1 " length(J["payloadType"]) " " J["payloadType"] " " length(content) / 2 " ") content > signatures
  return content
}
function origin(  n, i, listed, hint, own, until, name) {
  if (!("manifest.dsse.json" in FIRST)) { need(root == "", "nobody has signed it"); say("origin not proven: unsigned"); return }
  if (root == "") { say("origin not proven: no VKEY was given"); return }
  json(FIRST["manifest.dsse.json"], LAST["manifest.dsse.json"]); hint = J["signatures.0.keyid"]
  need(J["payloadType"] == "application/vnd.decklog.manifest.v1+json", "what is signed is no manifest")
  m = 0; put(base64(J["payload"])); n = sha(); m = 0; put_file(FIRST["manifest.json"], LAST["manifest.json"])
  need(n == sha(), "what is signed is another manifest")
  listed = ask("list", root, "keys/list.dsse.json")
  need(J["payloadType"] == "application/vnd.decklog.keys.v1+json", "that is no list of keys")
  for (n = 0; n < length(listed) / 2; n++) B[size + n] = VAL[substr(listed, 2 * n + 1, 2)]
  json(size, size + n)
  for (i = 0; i < J["keys.#"]; i++) if (J["keys." i ".role"] == "bundles" && index(J["keys." i ".key"], hint "+") == 1) { own = J["keys." i ".key"]; name = "keys." i "." }
  need(own != "" && !((name "compromised") in J), "no key for bundles of the list has signed it"); until = J[name "until"]
  need(until == "" || final <= until, "its key had ended before the last event")
  ask("manifest", own, "manifest.dsse.json"); say("signed by " hint ", says the file")
}

END {
  if (failed) exit 1
  for (i = 0; i <= 32; i++) TWO[i] = 2 ^ i
  tables()
  need(sha_of("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "this awk does not count as it should")
  unzip(); whole(); openings(); commands(); chain(); logged(); origin()
}' || exit 1

# 9. Ed25519 by openssl: "bytes HEX" are bytes, a key is its 32 bytes behind a fixed head.

bytes() {
  printf "$(printf %s "$1" | awk '{ for (i = 1; i < length($0); i += 2) printf "\\%03o", 16 * digit(substr($0, i, 1)) + digit(substr($0, i + 1, 1)) }
    function digit(c) { return index("0123456789abcdef", c) - 1 }')"
}
[ -s "$work/signatures" ] || exit 0
"$openssl" version 2>/dev/null | grep -q '^OpenSSL [3-9]' || { echo "$file: origin not proven: no openssl is here, signatures are not checked"; exit 0; }
while read -r what key signature message; do
  bytes "302a300506032b6570032100$key" >"$work/key"
  bytes "$signature" >"$work/signature"
  bytes "$message" >"$work/message"
  "$openssl" pkeyutl -verify -pubin -keyform DER -inkey "$work/key" -rawin -in "$work/message" -sigfile "$work/signature" >/dev/null 2>&1 ||
    { echo "$file: WRONG: the signature of the $what"; exit 1; }
done <"$work/signatures"
echo "$file: origin shown"
