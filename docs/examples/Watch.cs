// C#, Mono or .NET: mcs -r:System.dll Watch.cs && mono Watch.exe ws://127.0.0.1:7008/SECRET/NAME
using System;
using System.Linq;
using System.Net.WebSockets;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

static class Watch {
    static readonly ClientWebSocket line = new ClientWebSocket();
    static uint Half(uint sum) => (sum >> 1) ^ ((sum & 1) * 0xedb88320u);
    static uint Crc(string text) => ~text.Aggregate(~0u, (sum, letter) => Enumerable.Range(0, 8).Aggregate(sum ^ letter, (rest, _) => Half(rest)));
    static ArraySegment<byte> Sealed(string text) => new ArraySegment<byte>(Encoding.ASCII.GetBytes($"{text}*{Crc(text):x8}\n"));
    static Task Say(string text) => line.SendAsync(Sealed(text), WebSocketMessageType.Text, true, CancellationToken.None);

    static void Main(string[] args) => Play(args[0]).GetAwaiter().GetResult();

    static async Task Play(string address) {
        await line.ConnectAsync(new Uri(address), CancellationToken.None);
        await Say("watch 1 cs" + new Random().Next());
        var data = new ArraySegment<byte>(new byte[1 << 16]);
        while (line.State == WebSocketState.Open) {
            var got = await line.ReceiveAsync(data, CancellationToken.None);
            foreach (var text in Encoding.ASCII.GetString(data.Array, 0, got.Count).Split('\n')) {
                var words = text.Split('*')[0].Split(' ');
                if (words[0] == "state") await Say($"since {words[1]} {words[11]}");
                if (words[0] == "event") Console.WriteLine(string.Join(" ", words.Skip(3)));
            }
        }
    }
}
