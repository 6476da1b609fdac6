# Godot 3: a node that tells what a unit does. Serve it with `city-unit serve`.
extends Node
export var address := "ws://127.0.0.1:7008/SECRET/NAME"
var line := WebSocketClient.new()

func crc(text: String) -> int:
	var sum := 0xffffffff
	for byte in text.to_ascii():
		sum ^= byte
		for bit in 8:
			sum = (sum >> 1) ^ (0xedb88320 if sum & 1 else 0)
	return sum ^ 0xffffffff

func say(text: String) -> void:
	line.get_peer(1).put_packet(("%s*%08x\n" % [text, crc(text)]).to_ascii())

func _ready() -> void:
	randomize()
	line.connect("connection_established", self, "_greet")
	line.connect("data_received", self, "_read")
	line.connect_to_url(address)

func _process(_delta: float) -> void:
	line.poll()

func _greet(_protocol: String) -> void:
	line.get_peer(1).set_write_mode(WebSocketPeer.WRITE_MODE_TEXT)
	say("watch 1 g%08x" % randi())

func _read() -> void:
	for text in line.get_peer(1).get_packet().get_string_from_ascii().split("\n", false):
		var words: PoolStringArray = text.split("*")[0].split(" ")
		if words[0] == "state":
			say("since %s %s" % [words[1], words[11]])
		elif words[0] == "event":
			words.remove(0)
			words.remove(0)
			words.remove(0)
			print(words.join(" "))
