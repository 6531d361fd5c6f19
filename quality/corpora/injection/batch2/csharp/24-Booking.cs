using System;
using System.IO;
using System.Threading.Channels;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using MySqlConnector;

var app = WebApplication.CreateBuilder(args).Build();
var notes = Channel.CreateUnbounded<(Guid Id, string Guest)>();

async Task<string> GuestOf(HttpRequest request)
{
    var form = await request.ReadFormAsync();
    return form["guest"].ToString();
}

async Task<MySqlConnection> Open()
{
    var conn = new MySqlConnection("Server=db;Database=booking");
    await conn.OpenAsync();
    return conn;
}

_ = Task.Run(async () =>
{
    await foreach (var (id, guest) in notes.Reader.ReadAllAsync())
    {
        await File.WriteAllTextAsync($"/srv/notes/{id:N}.txt", guest);
        await File.AppendAllTextAsync($"/srv/guests/{guest}.txt", id + "\n");
    }
});

app.MapPost("/cancel", async (HttpRequest request) =>
{
    var guest = await GuestOf(request);
    await using var conn = await Open();
    var cmd = new MySqlCommand($"DELETE FROM booking WHERE guest = '{guest}'", conn);
    var n = await cmd.ExecuteNonQueryAsync();
    return Results.Ok(n);
});

app.MapPost("/note", async (HttpRequest request, Guid id) =>
{
    await notes.Writer.WriteAsync((id, await GuestOf(request)));
    return Results.Accepted();
});

app.MapPost("/confirm", async (HttpRequest request) =>
{
    var guestTask = GuestOf(request);
    var connTask = Open();
    await Task.WhenAll(guestTask, connTask);
    await using var cmd = new MySqlCommand("UPDATE booking SET ok = 1 WHERE guest = @g", connTask.Result);
    cmd.Parameters.AddWithValue("@g", guestTask.Result);
    return Results.Ok(await cmd.ExecuteNonQueryAsync());
});

app.Run();
