using System.IO;
using Dapper;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.Data.Sqlite;

var app = WebApplication.Create(args);
var cs = "Data Source=/var/lib/site.db";

app.MapPost("/profile", (ProfileInput input) =>
{
    var profile = new Profile { Id = input.Id, Nick = input.Nick };
    using var con = new SqliteConnection(cs);
    con.Execute($"UPDATE profile SET seen = 1 WHERE id = {profile.Id}");
    con.Execute($"UPDATE profile SET nick = '{profile.Nick}' WHERE id = {profile.Id}");
    return Results.NoContent();
});

app.MapPost("/profile/avatar", (ProfileInput input) =>
{
    var profile = new Profile { Id = input.Id, Avatar = input.Avatar };
    var copy = profile with { Nick = "anonymous" };
    File.AppendAllText("/srv/log/" + copy.Nick + ".log", "avatar\n");
    return Results.Bytes(File.ReadAllBytes("/srv/avatars/" + copy.Avatar));
});

app.MapDelete("/profile/avatar", (string avatar) =>
{
    var profile = new Profile { Avatar = avatar };
    File.Delete(Path.Combine("/srv/avatars", profile.Avatar));
    return Results.NoContent();
});

app.Run();

record ProfileInput(int Id, string Nick, string Avatar);

record Profile
{
    public int Id { get; init; }
    public string Nick { get; init; } = "";
    public string Avatar { get; init; } = "default.png";
    public string Theme { get; init; } = "light";
}
