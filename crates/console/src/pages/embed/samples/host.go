// go run host.go
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"
)

type session struct {
	Token     string `json:"token"`
	ExpiresAt string `json:"expiresAt"`
}

// signedIn returns the signed-in user of your product. Use your own session, never the request's body or URL.
// Without a session, it returns nil.
func signedIn(request *http.Request) map[string]any {
	return map[string]any{
		"projectId": "{{project}}",
		"organization": map[string]any{
			"externalId": "example-customer",
			"name":       "Example customer",
			"properties": map[string]any{
				"{{organization.key}}": "{{organization.value}}",
			},
		},
		"user": map[string]any{
			"externalId": "example-user",
			"name":       "Example user",
			"userRoleId": "{{role}}",
			"properties": map[string]any{
				"{{user.key}}": "{{user.value}}",
			},
		},
	}
}

var client = http.Client{Timeout: 10 * time.Second}

func embedToken(person map[string]any) (session, error) {
	body, err := json.Marshal(person)
	if err != nil {
		return session{}, err
	}
	request, err := http.NewRequest(http.MethodPost, "{{api}}/v1/api/projects/embed-token", bytes.NewReader(body))
	if err != nil {
		return session{}, err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("INLAY_API_KEY"))
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return session{}, err
	}
	defer response.Body.Close()
	var answer struct {
		Data  session
		Error struct{ Code, Message string }
	}
	err = json.NewDecoder(response.Body).Decode(&answer)
	if response.StatusCode != http.StatusOK {
		return session{}, fmt.Errorf("embed-token answered %d %s: %s", response.StatusCode, answer.Error.Code, answer.Error.Message)
	}
	return answer.Data, err
}

func answerToken(writer http.ResponseWriter, request *http.Request) {
	if request.Method != http.MethodPost {
		http.Error(writer, "{}", http.StatusMethodNotAllowed)
		return
	}
	person := signedIn(request)
	if person == nil {
		http.Error(writer, "{}", http.StatusUnauthorized)
		return
	}
	token, err := embedToken(person)
	if err != nil {
		log.Print(err)
		http.Error(writer, "{}", http.StatusBadGateway)
		return
	}
	writer.Header().Set("Content-Type", "application/json")
	writer.Header().Set("Cache-Control", "no-store")
	if err := json.NewEncoder(writer).Encode(token); err != nil {
		log.Print(err)
	}
}

func main() {
	http.HandleFunc("/analytics/token", answerToken)
	port := os.Getenv("PORT")
	if port == "" {
		port = "4000"
	}
	log.Fatal(http.ListenAndServe("localhost:"+port, nil))
}
