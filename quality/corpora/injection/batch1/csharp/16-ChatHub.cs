using System.Threading.Tasks;
using Microsoft.AspNetCore.SignalR;
using Npgsql;

namespace Chat;

public static class State
{
    public static string LastRoom = "lobby";
    public static readonly string Home = "lobby";
    public static NpgsqlDataSource Db = NpgsqlDataSource.Create("Host=db;Database=chat");
}

public class ChatHub : Hub
{
    public async Task Join(string room)
    {
        State.LastRoom = room;
        await Groups.AddToGroupAsync(Context.ConnectionId, room);
        await Clients.Caller.SendAsync("members", await Members());
    }

    private static async Task<object?> Members()
    {
        await using var cmd = State.Db.CreateCommand("SELECT count(*) FROM member WHERE room = '" + State.LastRoom + "'");
        return await cmd.ExecuteScalarAsync();
    }

    public override async Task OnConnectedAsync()
    {
        await using var cmd = State.Db.CreateCommand("SELECT topic FROM room WHERE name = '" + State.Home + "'");
        await Clients.Caller.SendAsync("topic", await cmd.ExecuteScalarAsync());
        await base.OnConnectedAsync();
    }
}
