using System.IO;
using Dapper;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.Data.SqlClient;
using Microsoft.Extensions.Configuration;

var app = WebApplication.CreateBuilder(args).Build();
var cs = app.Configuration.GetConnectionString("hotel");

app.MapGet("/rooms", async (string? dir) =>
{
    var order = dir == "desc" ? "DESC" : "ASC";
    await using var db = new SqlConnection(cs);
    return Results.Ok(await db.QueryAsync($"SELECT number, price FROM room ORDER BY price {order}"));
});

app.MapGet("/guests", async (string? city) =>
{
    city ??= "Wien";
    await using var db = new SqlConnection(cs);
    return Results.Ok(await db.QueryAsync($"SELECT name FROM guest WHERE city = '{city}'"));
});

app.MapGet("/photos", (HttpContext ctx) =>
{
    var room = ctx.Request.Query["room"].FirstOrDefault() ?? "lobby";
    return Results.File(File.OpenRead("/srv/photos/" + room + ".jpg"), "image/jpeg");
});

app.MapDelete("/bookings", async (string? note, string? guest) =>
{
    await using var db = new SqlConnection(cs);
    var where = string.IsNullOrEmpty(guest) ? "note = '" + note + "'" : "guest = @guest";
    return Results.Ok(await db.ExecuteAsync("DELETE FROM booking WHERE " + where, new { guest }));
});

app.Run();
