# Godot 4: a node that tells what a unit does. Serve it with `city-unit serve`.
extends Node
@export var address := "ws://127.0.0.1:7008/SECRET/NAME"
var line := WebSocketPeer.new()
var greeted := false

func crc(text: String) -> int:
	var sum := 0xffffffff
	for byte in text.to_ascii_buffer():
		sum ^= byte
		for bit in 8:
			sum = (sum >> 1) ^ (0xedb88320 if sum & 1 else 0)
	return sum ^ 0xffffffff

func say(text: String) -> void:
	line.send_text("%s*%08x\n" % [text, crc(text)])

func _ready() -> void:
	line.connect_to_url(address)

func _process(_delta: float) -> void:
	line.poll()
	if line.get_ready_state() == WebSocketPeer.STATE_OPEN and not greeted:
		greeted = true
		say("watch 1 g%08x" % randi())
	while line.get_available_packet_count() > 0:
		for text in line.get_packet().get_string_from_ascii().split("\n", false):
			var words: PackedStringArray = text.split("*")[0].split(" ")
			if words[0] == "state":
				say("since %s %s" % [words[1], words[11]])
			elif words[0] == "event":
				print(" ".join(words.slice(3)))
